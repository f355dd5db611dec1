/** Untracking during a sync: wherever a worker is, or has died, it writes nothing afterwards. */
import { describe, expect, it } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { recountLeads } from '../world/lists.ts'
import { sourceOf, syncOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { expireLeases } from './sync-stage.ts'

const world = useWorld({ config: { roles: ['http'] } })

const counts = async (team: Team) =>
  (
    await world.database.pool.query(
      `select (select count(*)::int from lead where team_id = $1) as leads,
        (select count(*)::int from credit_entry where team_id = $1 and kind = 'charge') as charges,
       (select count(*)::int from sync where team_id = $1 and finished_at is null) as open`,
      [team.id],
    )
  ).rows[0]

async function author(settings: Record<string, unknown> = {}) {
  const [team, username] = [await world.team({ credits: 1_000 }), world.handle('author')]
  // More than one page of one post, and more people than one turn of enrichment handles.
  world.network.seedPost({ author: username, reactions: 105, comments: 4 })
  world.network.seedPost({ author: username, reactions: 6, comments: 4 })
  await track(team, username, settings)
  return { team, username }
}

async function expectAbandoned(team: Team, username: string, spent: number): Promise<void> {
  const status = await syncOf(team, username)
  expect(status).toMatchObject({
    state: 'untracked',
    isFinal: true,
    stoppedBy: 'untracked',
    errorCode: null,
    capture: { stoppedBy: null, creditsSpent: spent },
    enrichment: { pending: 0 },
    nextSyncAt: null,
  })
  expect(status.enrichment.skipped).toBe(status.progress.leadsTotal)
  expect(status.capture.leadRowsCaptured).toBe(status.progress.leadsTotal)
  expect(await team.balance()).toBe(1_000 - spent)
  expect(await sourceOf(team, username)).toMatchObject({
    status: 'inactive',
    lastRun: { stoppedBy: 'untracked', creditsSpent: spent },
  })
}

/** Before, within and after the unit that writes a page, and around the end of the run. */
const points: FaultPoint[] = [
  'capture.leased',
  'capture.page-fetched',
  'capture.charged',
  'capture.after-commit',
  'capture.before-close',
  'capture.closed',
]

describe('untracking after a worker died', () => {
  it.each(points)(
    'at %s ends the run as untracked; what was committed stays charged once, and nothing comes after [TRK-32..TRK-34, SYN-20, SYN-22, CRD-31, CRD-32]',
    async (point) => {
      const { team, username } = await author()
      await world.arm(point)
      await expect(world.drain()).rejects.toThrow('500')
      const before = await counts(team)
      expect((await team.del(`/profile/${username}`)).body).toMatchObject({ untracked: true })
      await expectAbandoned(team, username, before.charges)
      await expireLeases(world)
      world.network.clearCalls()
      await world.drain()
      await world.advance('30h')
      expect(await counts(team)).toEqual({ ...before, open: 0 })
      expect(
        world.network.calls().filter(({ operation }) => operation !== 'profile' && operation !== 'company'),
      ).toEqual([])
      await expectAbandoned(team, username, before.charges)
    },
  )

  it('in the middle of enrichment writes the rest off, and the enriched stay [TRK-33, TRK-34]', async () => {
    const { team, username } = await author()
    await world.arm('enrichment.before-commit')
    await expect(world.drain()).rejects.toThrow('500')
    const { enrichment } = await syncOf(team, username)
    await team.del(`/profile/${username}`)
    await expireLeases(world)
    world.network.clearCalls()
    await world.drain()
    const after = await syncOf(team, username)
    expect(after.enrichment).toEqual({ ...enrichment, pending: 0, skipped: enrichment.pending })
    // The track request's own job still looks its person up.
    const asked = world.network
      .calls({ operation: 'profile' })
      .filter(({ query }) => !JSON.stringify(query).includes(username))
    expect([after.isFinal, asked]).toEqual([true, []])
  })
})

describe('untracking while a worker waits for the network', () => {
  it.each(['profile-posts', 'post-reactions', 'post-comments'])(
    'for %s: the answer that comes late is not written [TRK-32, SYN-20, SYN-33]',
    async (operation) => {
      const { team, username } = await author()
      world.network.hold({ operation })
      const drained = world.drain()
      await world.network.untilWaiting(1, { operation })
      const before = await counts(team)
      await team.del(`/profile/${username}`)
      await expectAbandoned(team, username, before.charges)
      world.network.release()
      await drained
      expect(await counts(team)).toEqual({ ...before, open: 0 })
      await expectAbandoned(team, username, before.charges)
    },
  )

  it('and tracking again at once: the abandoned worker writes nothing into the new run [TRK-32, TRK-36, TRK-38]', async () => {
    const { team, username } = await author({ enrichLeads: false })
    world.network.hold({ operation: 'post-reactions' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    await team.del(`/profile/${username}`)
    const { syncId } = await track(team, username)
    world.network.release()
    await drained
    await world.drain()
    expect(await syncOf(team, username)).toMatchObject({
      syncId,
      state: 'completed',
      stoppedBy: 'exhausted',
      capture: { leadRowsCaptured: 119 },
    })
    expect((await counts(team)).open).toBe(0)
  })
})

it('a run that waits for its next try, or to be picked, is ended too [TRK-32, SYN-20]', async () => {
  const { team, username } = await author()
  await team.del(`/profile/${username}`)
  await expectAbandoned(team, username, 0)
  await track(team, username)
  world.network.fault({ kind: 'status_503' })
  await world.drain()
  expect((await syncOf(team, username)).state).toBe('capturing')
  await team.del(`/profile/${username}`)
  world.network.clearFaults()
  await world.advance('2h')
  await expectAbandoned(team, username, 0)
})

it('untracking races with the pages of a sync without ever losing count, whatever comes first [SYN-20, CRD-32]', async () => {
  const team = await world.team()
  for (let round = 0; round < 4; round += 1) {
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 120 })
    world.network.hold({ operation: 'post-reactions', match: { page: '2' } })
    await track(team, author, { enrichLeads: round % 2 === 0 })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    world.network.release()
    expect((await team.del(`/profile/${author}`)).status).toBe(200)
  }
  await world.drain()
  const { rows } = await world.database.pool.query(
    'select coalesce(sum(credits_spent), 0)::int as spent from sync where team_id = $1',
    [team.id],
  )
  expect(await team.balance()).toBe(10_000 - rows[0].spent)
})

it('more waiting leads than one request writes off are all written off, and a revival brings all back [TRK-33, TRK-39]', async () => {
  const [team, username] = [await world.team({ credits: 100 }), world.handle('author')]
  world.network.seedPerson({ handle: username, posts: [] })
  await track(team, username)
  await world.drain()
  const { id } = await sourceOf(team, username)
  // SQL inserts everything including charges: 50 people with 47 or 48 comments each, and 40 with one.
  const lay = (statement: string, values: unknown[] = [team.id, id]) => world.database.pool.query(statement, values)
  await lay(`insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key,
    engagement_type, linkedin_url, enrichment, webhook_status, created_at)
    select $1, gen_random_uuid(), $2::uuid, $2::uuid, 'profile', 'ACoAfan' || case when g <= 2360 then g % 50 else g end,
       'comment:urn:li:activity:1:' || g,
      'Comment', 'https://www.linkedin.com/in/fan', 'pending', 'no_webhook', '2026-11-21'
      from generate_series(1, 2400) g`)
  await lay(
    `insert into enrichment_task (team_id, person_urn, due_at, created_at)
     select $1, 'ACoAfan' || g, '2026-11-21', '2026-11-21'
     from
     generate_series(0, 2400) g where g < 50 or g > 2360`,
    [team.id],
  )
  await lay(`insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, created_at)
    select $1, gen_random_uuid(), 'team', 'source:' || $2::uuid || ':person:ACoAfan' || g, 'charge', -1, 'source',
      $2::uuid, '2026-11-21' from generate_series(0, 2400) g where g < 50 or g > 2360`)
  await lay('update credit_account set spent = spent + 90 where team_id = $1', [team.id])
  await lay('update source set lead_rows = 2400, leads_pending = 2400 where team_id = $1 and id = $2')
  await recountLeads(world.database.root, team.id)
  const enrichment = async () => (await syncOf(team, username)).enrichment

  expect((await team.del(`/profile/${username}`)).status).toBe(200)
  expect(await enrichment()).toEqual({ pending: 400, completed: 0, failed: 0, skipped: 2_000 })
  world.network.clearCalls()
  await world.drain()
  expect([await enrichment(), world.network.calls({ operation: 'profile' })]).toEqual([
    { pending: 0, completed: 0, failed: 0, skipped: 2_400 },
    [],
  ])

  // Tracked again before the rest is written off: the leads wait for enrichment as before.
  await track(team, username)
  world.network.hold({ operation: 'profile' })
  const drained = world.drain()
  await world.network.untilWaiting(1, { operation: 'profile' })
  expect(await enrichment()).toEqual({ pending: 2_400, completed: 0, failed: 0, skipped: 0 })
  await team.del(`/profile/${username}`)
  expect((await enrichment()).skipped).toBe(2_000)
  // Enrichment drops tasks for leads of an untracked source, even of people whom the write-off has not reached.
  await lay('delete from enrichment_task where team_id = $1', [team.id])
  await track(team, username)
  world.network.release()
  await drained
  const last = await enrichment()
  expect([last.pending, last.skipped, last.completed + last.failed]).toEqual([0, 0, 2_400])
  expect(await team.balance()).toBe(10)
})
