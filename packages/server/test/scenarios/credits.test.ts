/** The balance: its figures, how it is read, and thousands of concurrent charges. */
import { describe, expect, it } from 'vitest'
import {
  AccountOvertaken,
  chargeAll,
  holdCredits,
  releaseHold,
  settleHold,
  shareAccount,
} from '../../src/modules/credits/index.ts'
import { amount, sized } from '../world/amount.ts'
import { chargeOne } from '../world/charge.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { gate } from './gate.ts'
import { people, statusOf, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const charge = (team: Team, key: string) =>
  world.unit(team, (tx) => chargeOne(tx, team.id, { key, category: 'posts_read', sourceId: null, syncId: null }))

const readCharges = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `read:${name}:post:${at}`,
    category: 'posts_read' as const,
    sourceId: null,
    syncId: null,
  }))

/** Shares a team's account and charges `count` credits after `meanwhile`. */
const chargeShared = (team: Team, name: string, count: number, meanwhile: () => Promise<void> = async () => {}) =>
  world.unit(team, async (tx) => {
    const account = await shareAccount(tx, team.id, 'team')
    await meanwhile()
    return chargeAll(tx, account, readCharges(name, count))
  })

const waitingFor = async (locktype: string): Promise<number> =>
  (
    await world.database.pool.query(
      `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and not l.granted and l.locktype = $1`,
      [locktype],
    )
  ).rows[0].count
const patiently = { timeout: 20_000, interval: 20 }

async function inLanes<T>(count: number, lanes: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) done.push(await work(next++))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

const tally = (outcomes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, list]) => [outcome, list.length]))

describe('the balance', () => {
  it('has six figures: allowance, what is used of it, what is left, top-ups beside it [CRD-02, CRD-01]', async () => {
    const team = await world.team({ credits: 10, plan: 'starter' })
    const now = await world.now()
    const nextReset = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate(), now.getUTCHours()),
    ).toISOString()
    expect((await team.get('/credits')).body).toEqual({
      balance: 10,
      used: 0,
      limit: 10,
      remaining: 10,
      plan: 'starter',
      nextReset,
    })
    for (let at = 0; at < 4; at += 1) await charge(team, `read:a:post:${at}`)
    expect((await team.get('/credits')).body).toMatchObject({ balance: 6, used: 4, limit: 10, remaining: 6 })
    await team.change({ grantCredits: 5 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 11, used: 4, limit: 10, remaining: 6 })
    for (let at = 4; at < 12; at += 1) await charge(team, `read:a:post:${at}`)
    expect((await team.get('/credits')).body).toMatchObject({ balance: 3, used: 12, limit: 10, remaining: 0 })
  })

  it('begins at 10,000 for a paying team and at 1,000 for a trial, which ends instead of renewing [CRD-02]', async () => {
    const [paying, trial] = [await world.team(), await world.team({ status: 'trial' })]
    expect((await paying.get('/credits')).body).toMatchObject({ balance: 10_000, limit: 10_000, remaining: 10_000 })
    const { body } = await world.operator('GET', `/operator/teams/${trial.id}`)
    expect((await trial.get('/credits')).body).toMatchObject({
      balance: 1_000,
      plan: 'trial',
      nextReset: body.team.trialEndsAt,
    })
    expect((await trial.change({ grantCredits: 7 })).body.team.credits).toMatchObject({
      balance: 1_007,
      nextReset: body.team.trialEndsAt,
    })
  })

  const enough = sized('LES_TEST_CHARGES', amount(200, 5_000))
  const storms = sized('LES_TEST_CHARGE_STORMS', 1)
  it(
    `of ${enough} allows exactly ${enough} of ${2 * enough} charges at once, and is never negative [CRD-01, CRD-02, CRD-03]`,
    async () => {
      for (let storm = 0; storm < storms; storm++) {
        const team = await world.team({ credits: enough })
        const lanes = 10 - (storm % 7)
        const outcomes = await inLanes(2 * enough, lanes, (at) => charge(team, `read:storm:post:${at}`))
        expect(tally(outcomes), `storm ${storm}`).toEqual({ charged: enough, insufficient: enough })
        expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: enough, remaining: 0 })
        // Reading is free, also at 0.
        expect((await team.get('/credits/usage')).body.total).toBe(enough)
      }
    },
    60_000 * storms,
  )

  it('adds up whatever happens to it at once: charges, reads that settle or fail, top-ups, allowances [CRD-01, CRD-02]', async () => {
    const team = await world.team({ credits: 60 })
    const read = async (name: string, settles: boolean): Promise<number> => {
      const hold = await world.unit(team, (tx) => holdCredits(tx, team.id, 5))
      if (!hold.held) return 0
      const settled = await world.unit(team, async (tx) => {
        if (settles) return settleHold(tx, { teamId: team.id, id: hold.id, charges: readCharges(name, 3) })
        return releaseHold(tx, team.id, hold.id)
      })
      return settled === 'settled' ? 3 : 0
    }
    const spent = await inLanes(90, 10, async (at) => {
      if (at % 9 < 3) return read(String(at), at % 9 < 2)
      if (at % 9 === 3) return await team.change({ credits: 40 + (at % 30) }), 0
      if (at % 9 === 4) return await team.change({ grantCredits: 2 }), 0
      return (await charge(team, `read:one:post:${at % 40}`)) === 'charged' ? 1 : 0
    })
    const used = spent.reduce((sum, each) => sum + each, 0)
    expect((await team.get('/credits/usage')).body.total).toBe(used)
    expect(await team.balance()).toBeGreaterThanOrEqual(0)
    expect((await world.database.pool.query('select 1 from credit_hold where team_id = $1', [team.id])).rows).toEqual(
      [],
    )
  })

  it('is charged once for a business fact, however many ask for it at once [CRD-14, CRD-18]', async () => {
    const team = await world.team({ credits: 100 })
    const outcomes = await inLanes(400, 10, (at) => charge(team, `read:same:post:${at % 20}`))
    expect([tally(outcomes), await team.balance()]).toEqual([{ charged: 20, known: 380 }, 80])
  })

  it('is shared by syncs that run at once: together they spend what there is and no more [CRD-01, CRD-13, SYN-14]', async () => {
    const team = await world.team({ credits: 150 })
    const authors = people(world, 5, 'author')
    for (const author of authors) world.network.seedPost({ author, reactions: 50 })
    world.network.hold({ operation: 'post-reactions' })
    for (const username of authors)
      await team.post('/enrich/profile', { username, saveTrackedProfile: true, enrichLeads: false })
    for (const _author of authors) world.beginDrain()
    await world.network.untilWaiting(4, { operation: 'post-reactions' })
    world.network.release()
    await world.drain()
    const statuses = await Promise.all(authors.map(async (author) => (await team.get(`/profile/${author}/sync`)).body))
    expect(statuses.reduce((sum, status) => sum + status.capture.creditsSpent, 0)).toBe(150)
    expect(
      statuses.filter((status) => status.errorCode === 'insufficient_enriching_credits').length,
    ).toBeGreaterThanOrEqual(2)
    expect(await team.balance()).toBe(0)
  })

  it('shared by two is charged by either without waiting; who then finds too little charges nothing [CRD-01]', async () => {
    const team = await world.team({ credits: 2_100 })
    const { pass, reached, open } = gate()
    const late = chargeShared(team, 'late', 101, pass)
    await reached
    expect(await chargeShared(team, 'early', 2_000)).toBe(2_000)
    open()
    await expect(late).rejects.toBeInstanceOf(AccountOvertaken)
    expect([await team.balance(), (await team.get('/credits/usage')).body.total]).toEqual([100, 2_000])
  })

  it('is had alone by who comes between two that share it, in the order they came [CRD-01]', async () => {
    const team = await world.team({ credits: 5_000 })
    const { pass, reached, open } = gate()
    const first = chargeShared(team, 'first', 10, pass)
    await reached
    const alone = charge(team, 'read:alone:post:1')
    await expect.poll(() => waitingFor('advisory'), patiently).toBe(1)
    const last = chargeShared(team, 'last', 10)
    await expect.poll(() => waitingFor('advisory'), patiently).toBe(2)
    open()
    await Promise.all([first, alone, last])
    // In the order of writing: a transaction gets its number at its first write. The order of the answers is random.
    const { rows } = await world.database.pool.query<{ name: string }>(
      `select split_part(key, ':', 2) as name from ${await world.shardOf(team)}.credit_entry where team_id = $1 and key like 'read:%'
       group by name order by min(xmin::text::bigint)`,
      [team.id],
    )
    expect([rows.map(({ name }) => name), await team.balance()]).toEqual([['first', 'alone', 'last'], 4_979])
  })

  it('taken by others while a page is written leaves it what remains, to the last credit [CRD-13, SYN-14]', async () => {
    const team = await world.team({ credits: 2_010 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 30 })
    await track(team, author)
    const holder = await world.database.pool.connect()
    await holder.query('begin')
    // The page has read the balance before it stores leads.
    await holder.query(`lock table ${await world.shardOf(team)}.lead in share mode`)
    const drained = world.drain()
    await expect.poll(() => waitingFor('relation'), patiently).toBe(1)
    expect(await chargeShared(team, 'meanwhile', 2_000)).toBe(2_000)
    await holder.query('rollback')
    holder.release()
    await drained
    const { capture, errorCode } = await statusOf(team, author)
    expect([capture.creditsSpent, capture.leadRowsCaptured, errorCode, await team.balance()]).toEqual([
      10,
      10,
      'insufficient_enriching_credits',
      0,
    ])
  })
})
