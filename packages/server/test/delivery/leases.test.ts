/** Leases of deliveries are rows beside them: what the engine does with them, and the release before. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliverStep, deliveryWork, purgeForsakenLeases } from '../../src/modules/delivery/index.ts'
import type { LeasedDelivery } from '../../src/modules/delivery/lease-store.ts'
import { endLeases, giveBackUnsent, lockOwn } from '../../src/modules/delivery/own-store.ts'
import { settleSent } from '../../src/modules/delivery/settle-store.ts'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import { giveBackAll, isLeased, leaseMs } from '../../src/platform/work/index.ts'
import { countWaiting } from '../world/locks.ts'
import { answer, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
let made = 0
useStage((opened) => ({ stage, inbox } = opened))
beforeEach(async () => {
  inbox.reply = answer(200)
  id = await stage.makeSource(`leases-${++made}`)
  await stage.put(id, { webhookUrl: inbox.url })
})

const [rows] = deliveryWork.rows

/** A delivery whose process has died with the answer in its hands: it is under a lease, `mine`. */
async function leaveUnderWay(): Promise<{ lead: string; delivery: string; mine: LeasedDelivery }> {
  const lead = await stage.detect(id)
  stage.armed.set('delivery.sent', 1)
  await expect(stage.step()).rejects.toThrow('armed fault')
  const delivery = (await stage.delivery(lead))!.id
  const { fence } = (await leaseOf(delivery))!
  const { teamId } = stage
  const mine = { teamId, id: delivery, ownerId: id, event: 'lead.detected', leadId: lead, body: null, fence } as const
  return { lead, delivery, mine }
}

const leaseOf = async (delivery: string) =>
  (
    await sql<{ until: number; fence: number }>`
      select lease_until_ms as until, fence from delivery_lease where delivery_id = ${delivery}`.execute(stage.db)
  ).rows[0]

const ready = async () =>
  (await sql<{ ready: boolean }>`select ready from work_turn where kind = 'delivery'`.execute(stage.db)).rows

describe('the lease of a delivery', () => {
  test('leaves the row as it is, and goes when the attempt is recorded', async () => {
    const lead = await stage.detect(id)
    const seen: unknown[] = []
    const raw = () => sql`select state, fence, lease_until_ms, xmin::text from delivery where lead_id = ${lead}`
    const before = (await raw().execute(stage.db)).rows
    inbox.reply = (response) => {
      void raw()
        .execute(stage.db)
        .then((now) => seen.push(now.rows))
        .finally(() => response.end())
    }
    await stage.drain()
    expect(seen).toEqual([before])
    expect((await stage.delivery(lead))!.state).toBe('sent')
    expect(await leaseOf((await stage.delivery(lead))!.id)).toBeUndefined()
  })

  test('counts as work that is under way, until it has run out', async () => {
    const { delivery } = await leaveUnderWay()
    const under = async (nowMs: number) =>
      (await sql<{ is: boolean }>`select ${isLeased(deliveryWork.rows, nowMs)} as is`.execute(stage.db)).rows[0]!.is
    const { until } = (await leaseOf(delivery))!
    expect([await under(until - 1), await under(until)]).toEqual([true, false])
    stage.state.skewMs += leaseMs
    await stage.drain()
  })

  test('is given back after an outage by whoever has it, and by nobody else', async () => {
    const {
      delivery,
      mine: { fence },
    } = await leaveUnderWay()
    const giveBack = (by: number) =>
      stage.unitOfWork((tx) => giveBackAll(tx, rows, [{ teamId: stage.teamId, id: delivery, fence: by }]))
    await giveBack(fence - 1)
    expect(await stage.step()).toBe('idle')
    await giveBack(fence)
    expect(await stage.drain()).toBe(1)
  })

  test('that is given back before anything was sent marks the team, which was put to rest meanwhile', async () => {
    const { mine } = await leaveUnderWay()
    expect([await stage.step(), await ready()]).toEqual(['idle', [{ ready: false }]])
    await stage.unitOfWork((tx) => giveBackUnsent(tx, stage.teamId, [mine]))
    expect([await ready(), await stage.drain()]).toEqual([[{ ready: true }], 1])
  })

  test('that ends marks the team, which was put to rest meanwhile: its endpoint has room', async () => {
    await stage.drain()
    await stage.detect(id)
    const [arrived, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    inbox.reply = (response) => {
      arrived.resolve()
      void ending.promise.then(() => answer(200)(response))
    }
    const underWay = stage.step()
    await arrived.promise
    expect([await stage.step(), await ready()]).toEqual(['idle', [{ ready: false }]])
    ending.resolve()
    await underWay
    expect(await ready()).toEqual([{ ready: true }])
  })

  test('keeps a delivery under way from being held with those that wait, when its endpoint is disabled', async () => {
    const [first, second, third] = [await stage.detect(id), await stage.detect(id), await stage.detect(id)]
    const [arrived, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    inbox.reply = (response) => {
      inbox.reply = answer(410)
      arrived.resolve()
      void ending.promise.then(() => answer(200)(response))
    }
    const underWay = stage.step()
    await arrived.promise
    expect(await stage.step()).toBe('worked')
    const states = async () => {
      const all = [await stage.delivery(first), await stage.delivery(second), await stage.delivery(third)]
      return all.map((one) => one!.state).toSorted()
    }
    expect(await states()).toEqual(['held', 'held', 'sending'])
    ending.resolve()
    await underWay
    expect(await states()).toEqual(['held', 'held', 'sent'])
  })
})

describe('who was overtaken while waiting for the lease', () => {
  type Mine = { readonly lead: string; readonly mine: LeasedDelivery }

  /** A delivery that some other process takes over while something is done with it; answers what came of that. */
  async function overtaken<T>(something: (tx: Tx, leased: LeasedDelivery) => Promise<T>): Promise<{ done: T } & Mine> {
    const { lead, delivery, mine } = await leaveUnderWay()
    const other = await stage.database.pool.connect()
    try {
      await other.query('begin')
      await other.query('update delivery_lease set fence = fence + 1 where delivery_id = $1', [delivery])
      const done = stage.unitOfWork((tx) => something(tx, mine))
      const {
        rows: [{ pid }],
      } = await other.query('select pg_backend_pid() as pid')
      await expect.poll(() => countWaiting(stage.database.pool, pid)).toBe(1)
      await other.query('commit')
      return { done: await done, lead, mine }
    } finally {
      other.release()
      expect((await leaseOf(delivery))!.fence).toBe(mine.fence + 1)
      stage.state.skewMs += leaseMs
      await stage.drain()
    }
  }

  test('finds nothing of its own', async () => {
    const { done } = await overtaken((tx, mine) => lockOwn(tx, stage.teamId, [mine]))
    expect(done.size).toBe(0)
  })

  test('ends no lease', () => overtaken((tx, mine) => endLeases(tx, stage.teamId, [mine])))

  test('records nothing as sent', async () => {
    const { done } = await overtaken((tx, mine) =>
      settleSent(tx, stage.teamId, [
        { leased: mine, url: inbox.url, at: stage.state.now, elapsedMs: 1, response: '', status: 200 },
      ]),
    )
    expect(done.size).toBe(0)
  })
})

describe('the lease of a process that stood still', () => {
  test.each([
    ['before it had what to send', 'delivery.leased'],
    ['before it sent', 'now'],
  ])('%s runs out, and nothing is sent under it: another has sent that by then', async (_when, place) => {
    await stage.drain()
    const leads = [await stage.detect(id), await stage.detect(id)]
    const before = inbox.received.length
    let stood = false
    const standStill = async (where: string) => {
      if (stood || where !== place) return
      stood = true
      stage.state.skewMs += leaseMs
      await stage.drain(deliverStep({ ...stage.deps, newOwnerId: stage.ids.uuid(stage.state.now) }))
    }
    const slow = deliverStep({
      ...stage.deps,
      faultPoint: standStill,
      serviceNow: async () => {
        if (inbox.received.length === before && place === 'now' && ++asked > 1) await standStill('now')
        return stage.state.now
      },
    })
    let asked = 0
    await stage.drain(slow)
    expect(stood).toBe(true)
    expect(inbox.received.length - before).toBe(leads.length)
    for (const lead of leads) expect((await stage.delivery(lead))!.state).toBe('sent')
  })
})

describe('the lease of an attempt whose process has died', () => {
  const purge = (nowMs: number, limit = 100) => stage.unitOfWork((tx) => purgeForsakenLeases(tx, nowMs, limit))

  test('goes once it ran out a while ago and its delivery was cancelled; what waits keeps its own', async () => {
    const [cancelled, later] = [await leaveUnderWay(), await leaveUnderWay()]
    await stage.put(id, { webhookUrl: '' })
    await stage.put(id, { webhookUrl: inbox.url })
    const waiting = await leaveUnderWay()
    const { until } = (await leaseOf(waiting.delivery))!
    expect((await stage.delivery(cancelled.lead))!.state).toBe('cancelled')
    expect(await purge(until)).toBe(0)
    const afterAWhile = until + 10 * 60_000
    expect([await purge(afterAWhile, 1), await purge(afterAWhile), await purge(afterAWhile)]).toEqual([1, 1, 0])
    expect([await leaseOf(cancelled.delivery), await leaseOf(later.delivery)]).toEqual([undefined, undefined])
    expect(await leaseOf(waiting.delivery)).toBeDefined()
    stage.state.skewMs += leaseMs
    expect(await stage.drain()).toBe(1)
  })
})

describe('the release before, which leases on the row itself,', () => {
  /** Its claim of one delivery; answers whether it got it. */
  const claimAsBefore = async (delivery: string) =>
    (
      await sql`
        update delivery set lease_owner = ${stage.ids.uuid(stage.state.now)}, fence = fence + 1, state = 'sending',
          lease_until_ms = ${stage.system.nowMs() + leaseMs}
        where id = ${delivery} and state in ('pending', 'sending') and coalesce(lease_until_ms, 0) <= ${stage.system.nowMs()}
        returning fence`.execute(stage.db)
    ).rows.length === 1

  test('keeps what it is sending, and loses it once its lease has run out', async () => {
    const lead = await stage.detect(id)
    const delivery = (await stage.delivery(lead))!.id
    expect(await claimAsBefore(delivery)).toBe(true)
    expect(await deliverStep(stage.deps)()).toBe('idle')
    stage.state.skewMs += leaseMs
    expect(await stage.drain()).toBe(1)
    expect(await stage.delivery(lead)).toMatchObject({ state: 'sent', fence: 2, lease_owner: null })
  })

  test('gets nothing that is being sent by this one, until that lease has run out, which it takes over', async () => {
    const { lead, delivery } = await leaveUnderWay()
    expect(await claimAsBefore(delivery)).toBe(false)
    stage.state.skewMs += leaseMs
    expect(await claimAsBefore(delivery)).toBe(true)
    expect(await leaseOf(delivery)).toBeUndefined()
    expect((await stage.delivery(lead))!.state).toBe('sending')
    stage.state.skewMs += leaseMs
    await stage.drain()
  })

  test('counts with the attempts at once of an endpoint', async () => {
    const leads: string[] = []
    for (let count = 0; count < 8; count++) leads.push(await stage.detect(id))
    for (const lead of leads.slice(0, 4)) expect(await claimAsBefore((await stage.delivery(lead))!.id)).toBe(true)
    const [arrived, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let [open, most] = [0, 0]
    inbox.reply = (response) => {
      open += 1
      most = Math.max(most, open)
      arrived.resolve()
      void ending.promise.then(() => {
        open -= 1
        response.end()
      })
    }
    const first = stage.step()
    await arrived.promise
    expect(await deliverStep(stage.deps)()).toBe('idle')
    expect(most).toBe(1)
    ending.resolve()
    await first
    stage.state.skewMs += leaseMs
    await stage.drain(deliverStep(stage.deps))
  })
})
