/** A clock that is ahead for a while: what was put at a time of its future is found again once it is set back. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobKind } from '../../src/job-catalog.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { WorkRows } from '../../src/platform/work/index.ts'
import { works } from '../../src/worker/works.ts'
import { amount } from '../world/amount.ts'
import { useWorld, type Team } from '../world/world.ts'
import { ok } from './outreach-stage.ts'
import { likes, sourceOf, track } from './sync-stage.ts'
import { workScenes } from './work-scenes.ts'

const hour = 3_600_000
let aheadMs = 0
const world = useWorld({
  config: { roles: ['http'] },
  // A clock that is not remembered: it is moved back at the database.
  overrides: { alone: false, system: { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs } },
})
const { scenes, sql, prepare } = workScenes(world)
beforeAll(prepare)

const task = (name: string) => world.service.tasks.find((each) => each.name === name)!
const watch = () => task('notice a clock that was set back').run()

/** Sets both clocks ahead, as the machine's would be, works, and sets them back; the service looks at them before and meanwhile. */
async function whileAhead(hours: number, work: () => Promise<void>): Promise<void> {
  await watch()
  await world.move(`${hours}h`)
  aheadMs += hours * hour
  await watch()
  await work()
  aheadMs -= hours * hour
  await sql(`update service_clock set now = now - $1 * interval '1 hour'`, [hours])
}

/**
 * What a worker does that fails, or dies, while the clock is ahead: rows of a kind are put off by a minute of its time,
 * and leased. Answers how many.
 */
async function putOff(kind: JobKind, team: Team): Promise<number> {
  let rows = 0
  for (const { table, fence, dueColumn = 'due_at' } of works[kind].rows as readonly WorkRows[]) {
    const lease =
      fence === 'unleased'
        ? ''
        : `, lease_owner = gen_random_uuid(), lease_until_ms = ${systemClock.nowMs() + aheadMs + 60_000}`
    const { rowCount } = await sql(
      `update ${table} set ${dueColumn} = $2::timestamptz + interval '1 minute' ${lease} where team_id = $1`,
      [team.id, await world.now()],
    )
    rows += rowCount ?? 0
  }
  return rows
}

/** Kinds whose rows are there before anything was worked; retries of deliveries are below. */
const begun = ['capture', 'keyword', 'enrich_job', 'posts_job', 'push', 'rescore', 'discover', 'send'] as const

describe('a clock that was ahead and is set back', () => {
  it.each(amount<readonly JobKind[]>(['capture', 'posts_job', 'push', 'rescore'], begun))(
    'leaves nothing of %s due in hours, nor in the hands of a worker that died meanwhile [SYN-01, WHK-17, JOB-01]',
    async (kind) => {
      const team = await world.team()
      const work = await scenes[kind].begin(team)
      await whileAhead(30, async () => expect(await putOff(kind, team)).toBeGreaterThan(0))
      expect(await work.done()).toBe(false)
      expect(await watch()).toBeGreaterThan(0)
      // Leases of dead workers end as they always do.
      aheadMs += 61_000
      await world.drain()
      expect(await work.done()).toBe(true)
    },
  )

  it('finds retries of deliveries again, and the schedule is a day away at most [SYN-01, WHK-17]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes([1, 2, 3].map(() => world.handle())), comments: [] })
    await track(team, author)
    await world.drain()
    const { id } = await sourceOf(team, author)
    const before = Date.parse((await sourceOf(team, author)).nextSyncAt)
    await whileAhead(30, async () => {
      // The sync of the day, and deliveries that fail, all at a time that has not come.
      await world.drain()
      inbox.answer(503)
      await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
      await ok(team.post(`/sources/${id}/push`, {}))
      await world.drain()
    })
    expect(before).toBeLessThan(Date.parse((await sourceOf(team, author)).nextSyncAt))
    inbox.answer(200)
    const tried = inbox.received.length
    await watch()
    await world.drain()
    expect(inbox.received.length).toBe(tried + 3)
    const day = (await world.now()).getTime() + 24 * hour
    expect(Date.parse((await sourceOf(team, author)).nextSyncAt)).toBeLessThanOrEqual(day)
  })
})
