/** Replays during attempts, with fences and faults: never a second send by ourselves, never a lost one. */
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { deliverStep, replayDeliveries, replayDelivery } from '../../src/modules/delivery/index.ts'
import { answer, holdAnswers, refusalOf, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))

const replay = (id: string, team = stage.teamId) => stage.unitOfWork((tx) => replayDelivery(tx, team, id))
const replayAll = (
  ownerId: string,
  states: readonly string[],
  more: { since?: Date; after?: string; team?: string } = {},
) =>
  stage.unitOfWork((tx) =>
    replayDeliveries(tx, {
      teamId: more.team ?? stage.teamId,
      ownerId,
      states,
      since: more.since ?? new Date('2026-01-01T00:00:00Z'),
      after: more.after ?? null,
    }),
  )
const sourceWithHook = async (name: string, settings: Record<string, unknown> = {}) => {
  const id = await stage.makeSource(name)
  await stage.put(id, { webhookUrl: inbox.url, ...settings })
  return id
}
const deliveryOf = async (lead: string) => (await stage.delivery(lead))!

test('of two replays at once one goes, and the other is refused; so is what is on its way or was given up', async () => {
  const source = await sourceWithHook('twice')
  const lead = await stage.detect(source)
  const { id } = await deliveryOf(lead)
  expect((await refusalOf(replay(id))).key).toBe('not_replayable')
  await stage.drain()
  const outcomes = await Promise.allSettled([replay(id), replay(id), replay(id)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const before = inbox.received.length
  await Promise.all([
    deliverStep(stage.deps)(),
    deliverStep({ ...stage.deps, processId: stage.ids.uuid(stage.state.now) })(),
  ])
  expect(inbox.received).toHaveLength(before + 1)
  await sql`update delivery set state = 'cancelled', finished_at = ${stage.state.now} where id = ${id}`.execute(
    stage.db,
  )
  expect((await refusalOf(replay(id))).key).toBe('not_replayable')
})

test('a replay while an attempt is in flight is refused, and an attempt of the replay is the only one', async () => {
  const source = await sourceWithHook('flying')
  const lead = await stage.detect(source)
  await stage.drain()
  const { id } = await deliveryOf(lead)
  await replay(id)
  const before = inbox.received.length
  const held = holdAnswers(inbox)
  const attempt = stage.step()
  await held.arrived
  expect((await refusalOf(replay(id))).key).toBe('not_replayable')
  expect(await replayAll(source, ['sent', 'failed', 'held'])).toEqual({ replayed: 0, next: null })
  expect(await deliverStep(stage.deps)()).toBe('idle')
  held.answer(200)
  await attempt
  inbox.reply = (response) => void response.end()
  expect(inbox.received).toHaveLength(before + 1)
  expect((await deliveryOf(lead)).state).toBe('sent')
})

test.each(['delivery.leased', 'delivery.sent', 'delivery.before-commit'] as const)(
  'a worker that dies at `%s` of a replay loses nothing: it arrives under the same id',
  async (point) => {
    const source = await sourceWithHook(`dies-${point}`)
    const lead = await stage.detect(source)
    await stage.drain()
    const { id } = await deliveryOf(lead)
    await replay(id)
    stage.armed.set(point, 1)
    await expect(stage.step()).rejects.toThrow('armed fault')
    stage.state.skewMs += 61_000
    await stage.drain()
    expect([(await deliveryOf(lead)).state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
    const arrived = inbox.received.filter(({ headers }) => headers['webhook-id'] === id)
    expect(arrived.length).toBeGreaterThanOrEqual(2)
    expect(arrived.every(({ body }) => body.equals(arrived[0]!.body))).toBe(true)
  },
)

test('a failed one begins its schedule anew, and the push that it belongs to counts it again', async () => {
  const source = await sourceWithHook('schedule', { autoSend: false })
  const lead = await stage.makeLead(source, { webhookStatus: 'no_webhook' })
  const { pushId } = await stage.push(source)
  const counts = () => stage.progress(pushId)
  inbox.reply = answer(500)
  for (let attempt = 1; attempt <= 10; attempt++) {
    await stage.drain()
    stage.state.now = new Date(Math.max(stage.state.now.getTime(), (await deliveryOf(lead)).due_at.getTime()))
  }
  const failed = await deliveryOf(lead)
  expect([failed.state, failed.attempts, await stage.leadStatus(lead)]).toEqual(['failed', 10, 'failed'])
  expect(await counts()).toMatchObject({ counts: { failed: 1, delivered: 0 }, total: 1, finished: true })
  await replay(failed.id)
  expect((await deliveryOf(lead)).attempts).toBe(0)
  expect(await counts()).toMatchObject({ counts: { failed: 0, pending: 1 }, total: 1, finished: false })
  await stage.drain()
  expect([(await deliveryOf(lead)).state, (await deliveryOf(lead)).attempts]).toEqual(['pending', 1])
  inbox.reply = (response) => void response.end()
  stage.advance(60_000)
  await stage.drain()
  expect(await counts()).toMatchObject({ counts: { failed: 0, delivered: 1 }, total: 1, finished: true })
  expect((await stage.log(lead)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('a disabled endpoint is tried again with all that it holds, as when its URL is saved', async () => {
  const source = await sourceWithHook('disabled')
  const [sent, held] = [await stage.detect(source), await stage.makeLead(source)]
  await stage.drain()
  inbox.reply = answer(410)
  const gone = await stage.detect(source)
  await stage.drain()
  await stage.offer([held])
  await stage.drain()
  expect((await stage.webhook(source))!.disabled_at).not.toBeNull()
  expect([(await deliveryOf(gone)).state, (await deliveryOf(held)).state]).toEqual(['held', 'held'])
  inbox.reply = (response) => void response.end()
  await replay((await deliveryOf(sent)).id)
  expect(await stage.webhook(source)).toMatchObject({ disabled_at: null, disabled_reason: null, failing_since: null })
  await stage.drain()
  for (const lead of [sent, gone, held])
    expect([(await deliveryOf(lead)).state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
})

test('what waits for enrichment, is of an untracked source, of no URL or of another team is refused, unwritten', async () => {
  const source = await sourceWithHook('refused', { autoSend: false })
  const waiting = await stage.makeLead(source, { enrichment: 'pending' })
  await stage.push(source)
  expect((await deliveryOf(waiting)).state).toBe('held')
  expect((await refusalOf(replay((await deliveryOf(waiting)).id))).key).toBe('not_replayable')
  expect(await replayAll(source, ['held'])).toEqual({ replayed: 0, next: null })

  const cleared = await sourceWithHook('cleared')
  const lead = await stage.detect(cleared)
  await stage.drain()
  const { id } = await deliveryOf(lead)
  const { team: other } = await stage.makeTeam()
  expect((await refusalOf(replay(id, other.id))).key).toBe('not_found')
  expect((await refusalOf(replayAll(cleared, ['sent'], { team: other.id }))).key).toBe('not_found')
  expect((await refusalOf(replay(stage.ids.uuid(stage.state.now)))).key).toBe('not_found')
  await stage.put(cleared, { webhookUrl: '' })
  expect((await refusalOf(replay(id))).key).toBe('no_webhook')
  expect((await refusalOf(replayAll(cleared, ['sent']))).key).toBe('no_webhook')
  await stage.put(cleared, { webhookUrl: inbox.url })
  await sql`update source set status = 'inactive' where id = ${cleared}`.execute(stage.db)
  expect((await refusalOf(replay(id))).key).toBe('not_replayable')
  expect((await refusalOf(replayAll(cleared, ['sent']))).key).toBe('not_found')
  expect([(await deliveryOf(lead)).state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
})

test('many go again at once: those of the states named and made since, each once, 10,000 a call and the rest behind `next`', async () => {
  const source = await sourceWithHook('many')
  await stage.put(source, { icpOnly: false })
  const before = stage.state.now
  const total = 10_003
  const ids = Array.from({ length: total }, () => stage.ids.uuid(before))
  await sql`insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at, finished_at)
    select ${stage.teamId}, d.id, ${source}, 'post.detected', d.id::text,
      case when d.place <= 3 then 'failed' else 'sent' end, '{}'::bytea, ${before}, ${before}, ${before}
      from unnest(${ids}::uuid[]) with ordinality as d (id, place)`.execute(stage.db)
  expect(await replayAll(source, ['sent', 'failed'], { since: new Date(before.getTime() + 1) })).toEqual({
    replayed: 0,
    next: null,
  })
  const first = await replayAll(source, ['sent'], { since: before })
  expect(first).toEqual({ replayed: 10_000, next: null })
  expect(await replayAll(source, ['sent'], { since: before })).toEqual({ replayed: 0, next: null })
  await sql`update delivery set state = 'sent' where owner_id = ${source}`.execute(stage.db)
  const whole = await replayAll(source, ['sent', 'held'], { since: before })
  expect([whole.replayed, whole.next === null]).toEqual([10_000, false])
  // The next page does not include deliveries again that were sent in the meantime.
  await sql`update delivery set state = 'sent' where owner_id = ${source}`.execute(stage.db)
  expect(await replayAll(source, ['sent', 'held'], { since: before, after: whole.next! })).toEqual({
    replayed: 3,
    next: null,
  })
  await sql`delete from delivery where owner_id = ${source}`.execute(stage.db)
})
