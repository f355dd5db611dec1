import { maxInFlight } from '../../src/modules/delivery/rules/endpoint.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { readWaiting } from '../../src/platform/work/index.ts'
import { deliverStep, deliveryWork } from '../../src/modules/delivery/index.ts'
import { answer, openInbox, useSources, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
useSources('retries', (opened) => ({ stage, inbox, id } = opened))
beforeEach(() => {
  stage.state.random = 0.5
})

const hours = (count: number) => count * 3_600_000
const due = async () =>
  (await readWaiting(stage.db, deliveryWork.rows, { now: stage.state.now, nowMs: stage.system.nowMs(), most: 1 }))
    .length > 0
const waitOf = async (lead: string) => (await stage.delivery(lead))!.due_at.getTime() - stage.state.now.getTime()

describe('a failing receiver', () => {
  test('is tried ten times on schedule, same id and bytes, fresh timestamps, then failed [WHK-16, WHK-20, WHK-27]', async () => {
    inbox.reply = answer(500, {}, 'try\u0000 later')
    const lead = await stage.detect(id)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await stage.drain()).toBe(1)
      expect(inbox.received).toHaveLength(attempt)
      const delivery = (await stage.delivery(lead))!
      expect(delivery.attempts).toBe(attempt)
      if (attempt === 10) break
      expect(await stage.leadStatus(lead)).toBe('pending')
      waits.push(await waitOf(lead))
      stage.advance(waits.at(-1)! - 1)
      expect([await due(), await stage.step()]).toEqual([false, 'idle'])
      stage.advance(1)
      expect(await due()).toBe(true)
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(await stage.delivery(lead)).toMatchObject({ state: 'failed', attempts: 10, finished_at: stage.state.now })
    expect(await stage.leadStatus(lead)).toBe('failed')
    expect(new Set(inbox.received.map((one) => one.body.toString('hex'))).size).toBe(1)
    expect(new Set(inbox.received.map((one) => one.headers['webhook-id'])).size).toBe(1)
    expect(new Set(inbox.received.map((one) => one.headers['x-service-timestamp'])).size).toBe(10)
    expect(new Set(inbox.received.map((one) => one.headers['x-service-signature'])).size).toBe(10)
    const log = await stage.log(lead)
    expect(log.map((line) => line.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(log[0]).toMatchObject({ status: 500, outcome: 'bad_status', response: 'try later' })
    stage.advance(hours(1_000))
    expect(await stage.step()).toBe('idle')
  })

  test.each([
    [0, 4_000],
    [0.999999, 6_000],
  ])('is tried again within a fifth of the plan (chance %d) [WHK-27]', async (random, expected) => {
    stage.state.random = random
    inbox.reply = answer(500)
    const lead = await stage.detect(id)
    await stage.drain()
    expect(await waitOf(lead)).toBe(expected)
  })

  test.each([
    ['seconds', '3600', 3_600_000],
    ['a date', 'Mon, 02 Nov 2026 08:30:00 GMT', 1_800_000],
    ['more than a day', '999999999999', 86_400_000],
  ])('may ask to wait, in %s, a day at most [WHK-27]', async (_name, retryAfter, expected) => {
    inbox.reply = answer(429, { 'retry-after': retryAfter, date: 'Mon, 02 Nov 2026 08:00:00 GMT' })
    const lead = await stage.detect(id)
    await stage.drain()
    expect(await waitOf(lead)).toBe(expected)
  })

  test('that redirects is not followed [WHK-27]', async () => {
    const inside = await openInbox()
    inbox.reply = answer(302, { location: inside.url })
    const lead = await stage.detect(id)
    await stage.drain()
    expect(inside.received).toHaveLength(0)
    expect((await stage.log(lead))[0]).toMatchObject({ status: 302, outcome: 'redirect' })
    expect(await stage.delivery(lead)).toMatchObject({ state: 'pending', attempts: 1 })
    await inside.close()
  })
})

describe('a disabled endpoint', () => {
  test('410 disables it: its deliveries are held, and go when a PUT names the URL [WHK-27]', async () => {
    inbox.reply = answer(500)
    const waiting = await stage.detect(id)
    await stage.drain()
    inbox.reply = answer(410)
    const gone = await stage.detect(id)
    await stage.drain()
    expect(await stage.webhook(id)).toMatchObject({ disabled_reason: 'gone', disabled_at: stage.state.now })
    const later = await stage.detect(id)
    await stage.drain()
    for (const lead of [waiting, gone, later])
      expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual(['held', 'pending'])
    expect(inbox.received).toHaveLength(2)
    stage.advance(hours(200))
    inbox.reply = answer(200)
    await stage.put(id, { icpOnly: false })
    expect(await stage.step()).toBe('idle')
    await stage.put(id, { webhookUrl: inbox.url })
    expect(stage.nudged.at(-1)).toBe('delivery')
    await stage.drain()
    for (const lead of [waiting, gone, later])
      expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
    expect((await stage.log(gone)).map((line) => line.number)).toEqual([1, 2])
    expect(await stage.webhook(id)).toMatchObject({ disabled_at: null, disabled_reason: null, failing_since: null })
  })

  test('whose URL is cleared gives up what it holds: nothing of it goes when a URL is set again [WHK-04, WHK-20, G134]', async () => {
    inbox.reply = answer(410)
    const gone = await stage.detect(id)
    await stage.drain()
    expect((await stage.delivery(gone))!.state).toBe('held')
    await stage.put(id, { webhookUrl: null })
    await stage.settle()
    expect([(await stage.delivery(gone))!.state, await stage.leadStatus(gone)]).toEqual(['cancelled', 'no_webhook'])
    inbox.reply = answer(200)
    await stage.put(id, { webhookUrl: inbox.url })
    await stage.drain()
    expect([(await stage.delivery(gone))!.state, await stage.leadStatus(gone)]).toEqual(['cancelled', 'no_webhook'])
    expect(inbox.received).toHaveLength(1)
  })

  test('whose URL was failing for days is not disabled at the first failure of a new one [WHK-27, G49]', async () => {
    inbox.reply = answer(500)
    await stage.detect(id)
    await stage.drain()
    stage.advance(hours(6 * 24))
    const other = await openInbox()
    other.reply = answer(500)
    await stage.put(id, { webhookUrl: other.url })
    expect(await stage.webhook(id)).toMatchObject({ failing_since: null, disabled_at: null })
    await stage.drain()
    expect(await stage.webhook(id)).toMatchObject({ failing_since: stage.state.now, disabled_at: null })
    await other.close()
  })

  test('that was quick and answers 410 gets nothing of what was leased for it ahead; it is held [WHK-27]', async () => {
    // For a fast endpoint more is leased than may be in flight.
    const [accepted, all] = [25, 60]
    for (let count = 0; count < all; count++) await stage.detect(id)
    const before = inbox.received.length
    inbox.reply = (response) => answer(inbox.received.length - before <= accepted ? 200 : 410)(response)
    await stage.drain(deliverStep(stage.deps))
    const attempts = inbox.received.length - before
    expect(attempts).toBeGreaterThan(accepted)
    // Attempts in flight, and those begun before the first refusal was read.
    expect(attempts).toBeLessThanOrEqual(accepted + 2 * maxInFlight)
    const { rows } = await stage.database.pool.query(
      `select state, count(*)::integer as count, max(lease_until_ms) as lease from delivery
       where owner_id = $1 group by state order by state`,
      [id],
    )
    expect(rows).toEqual([
      { state: 'held', count: all - accepted, lease: null },
      { state: 'sent', count: accepted, lease: null },
    ])
  })

  test('enabled at the very moment a delivery is about to be held gets that delivery', async () => {
    inbox.reply = answer(410)
    await stage.detect(id)
    await stage.drain()
    const lead = await stage.detect(id)
    inbox.reply = answer(200)
    const step = deliverStep({
      ...stage.deps,
      faultPoint: async (point) =>
        void (
          point === 'delivery.leased' &&
          (await stage.webhook(id))?.disabled_at &&
          (await stage.put(id, { webhookUrl: inbox.url }))
        ),
    })
    await stage.drain(step)
    expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual(['sent', 'sent'])
  })

  test('is not disabled by what its former URL answers', async () => {
    const other = await openInbox()
    inbox.reply = (response) => void stage.put(id, { webhookUrl: other.url }).then(() => answer(410)(response))
    const lead = await stage.detect(id)
    await stage.step()
    expect(await stage.webhook(id)).toMatchObject({ url: other.url, disabled_at: null, failing_since: null })
    stage.advance(6_000)
    await stage.drain()
    expect(other.received).toHaveLength(1)
    expect(await stage.leadStatus(lead)).toBe('sent')
    await other.close()
  })

  test('is not healed by what its former URL accepts [WHK-27]', async () => {
    const other = await openInbox()
    other.reply = answer(500)
    const another = deliverStep({ ...stage.deps, processId: stage.ids.uuid(stage.state.now), singleBatchSize: 1 })
    const changed = async () => {
      await stage.put(id, { webhookUrl: other.url })
      await stage.detect(id)
      await another()
    }
    inbox.reply = (response) => void changed().then(() => answer(200)(response))
    const lead = await stage.detect(id)
    await stage.step()
    expect([other.received.length, await stage.leadStatus(lead)]).toEqual([1, 'sent'])
    expect(await stage.webhook(id)).toMatchObject({ url: other.url, failing_since: stage.state.now })
    await other.close()
  })

  test('five days of nothing but failures disable it; a success in between starts the count anew [WHK-27]', async () => {
    inbox.reply = answer(500)
    await stage.detect(id)
    await stage.drain()
    stage.advance(hours(119))
    inbox.reply = answer(200)
    await stage.drain()
    expect((await stage.webhook(id))?.failing_since).toBeNull()
    inbox.reply = answer(500)
    const start = stage.state.now
    await stage.detect(id)
    await stage.drain()
    expect((await stage.webhook(id))?.failing_since).toEqual(start)
    for (let hour = 0; hour < 119; hour += 7) {
      stage.advance(hours(7))
      if (stage.state.now.getTime() - start.getTime() >= hours(119)) break
      await stage.drain()
    }
    expect((await stage.webhook(id))?.disabled_at).toBeNull()
    stage.state.now = new Date(start.getTime() + hours(120))
    const last = await stage.detect(id)
    await stage.drain()
    expect(await stage.webhook(id)).toMatchObject({ disabled_reason: 'failing', disabled_at: stage.state.now })
    expect(await stage.delivery(last)).toMatchObject({ state: 'held' })
    expect(await stage.leadStatus(last)).toBe('pending')
  })
})
