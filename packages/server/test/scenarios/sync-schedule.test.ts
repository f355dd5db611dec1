import { describe, expect, it } from 'vitest'
import { openDueRuns } from '../../src/modules/sources/index.ts'
import { openLog } from '../../src/platform/log.ts'
import { type Team, useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { likes, people, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const runsOf = async (team: Team): Promise<number> =>
  (await world.database.pool.query('select count(*)::int as runs from sync where team_id = $1', [team.id])).rows[0].runs

async function fanned(count: number): Promise<string> {
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: likes(people(world, count)) })
  return author
}

describe('scheduled syncs', () => {
  it('run every 24 hours after the start of the one before, and bring what is new [SYN-01, SYN-04]', async () => {
    const team = await world.team()
    const author = await fanned(2)
    const first = await sweep(world, team, author)
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    await world.advance('23h')
    expect(await runsOf(team)).toBe(1)
    await world.advance('1h')
    const second = await statusOf(team, author)
    expect(second).toMatchObject({
      state: 'completed',
      capture: { creditsSpent: 3, leadRowsCaptured: 3 },
      startedAt: first.nextSyncAt,
    })
    expect(second.nextSyncAt).toBe(new Date(Date.parse(second.startedAt) + 86_400_000).toISOString())
  })

  it('that were missed for days run once, and the next is a day later [SYN-01]', async () => {
    const team = await world.team()
    const author = await fanned(1)
    await sweep(world, team, author)
    await world.advance('5d')
    expect(await runsOf(team)).toBe(2)
    await world.advance('23h')
    expect(await runsOf(team)).toBe(2)
    await world.advance('1h')
    expect(await runsOf(team)).toBe(3)
  })

  it('open one run where a source was listed as due and its run has been and gone since [SYN-01, SYN-27]', async () => {
    const team = await world.team()
    const author = await fanned(1)
    await sweep(world, team, author)
    await world.move('25h')
    const { unitOfWork, database } = world.service
    let others: Promise<unknown> | undefined
    const opening = () =>
      openDueRuns({
        db: database.root,
        // Another process opens and finishes the run before this one reaches the source.
        unitOfWork: async (work) => {
          await (others ??= world.drain())
          return unitOfWork(work)
        },
        serviceNow: () => world.now(),
        log: openLog('silent'),
        faultPoint: async () => {},
      })
    const opened = await world.inShardOf(team, opening)
    expect([opened, await runsOf(team)]).toEqual([0, 2])
  })

  it('never begin while the one before is under way, and start no earlier than a day after its start [SYN-01, SYN-27]', async () => {
    const team = await world.team()
    const author = await fanned(1)
    world.network.hold({ operation: 'profile-posts', match: { profilePublicIdentifier: author } })
    await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting()
    await world.move('30h')
    await world.tick()
    expect(await runsOf(team)).toBe(1)
    world.network.release()
    await world.drain()
    expect(await runsOf(team)).toBe(2)
  })

  it('are skipped at balance 0, stay due, and run when the operator grants credits [SYN-01, CRD-14]', async () => {
    const team = await world.team({ credits: 2 })
    const author = await fanned(2)
    await sweep(world, team, author)
    await world.advance('3d')
    expect([await runsOf(team), (await statusOf(team, author)).stoppedBy]).toEqual([1, 'exhausted'])
    await team.change({ grantCredits: 5 })
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await world.drain()
    expect([await runsOf(team), await team.balance()]).toEqual([2, 4])
  })

  it('go on after a failed run, which still counts as the first for how far back to read [SYN-01, SYN-22]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    for (let at = 0; at < 6; at += 1) world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    world.network.fault({ kind: 'status_503' })
    await sweep(world, team, author)
    for (const wait of ['15s', '60s', '5m', '20m']) await world.advance(wait)
    expect(await statusOf(team, author)).toMatchObject({
      state: 'failed',
      errorCode: 'provider_error',
      capture: { stoppedBy: null, creditsSpent: 0 },
    })
    world.network.clearFaults()
    await world.advance('24h')
    expect(await statusOf(team, author)).toMatchObject({ state: 'completed', progress: { postsTotal: 6 } })
  })
})

describe('a team that lapses', () => {
  it('has no enrichment started: leads wait, nobody is looked up, and all goes on with the subscription [SYN-09, SYN-11]', async () => {
    const team = await world.team()
    const author = await fanned(3)
    world.network.fault({ kind: 'status_500', operation: 'profile' })
    world.network.fault({ kind: 'status_500', operation: 'profile/full' })
    await sweep(world, team, author)
    await team.change({ status: 'expired' })
    world.network.clearFaults()
    world.network.clearCalls()
    await world.advance('2h')
    expect(world.network.calls({ operation: 'profile' })).toEqual([])
    await team.change({ status: 'active' })
    expect(await statusOf(team, author)).toMatchObject({ state: 'enriching', enrichment: { pending: 3 } })
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({ state: 'completed', enrichment: { completed: 3 } })
  })
})
