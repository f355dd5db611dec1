import { sql } from 'kysely'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { deliverStep, deliveryWork } from '../../src/modules/delivery/index.ts'
import { claimDue, type LeaseLimit } from '../../src/modules/delivery/sending/claim.ts'
import { maxInFlight } from '../../src/modules/delivery/rules/endpoint.ts'
import { addOptOuts, readEntries } from '../../src/modules/leads/index.ts'
import { endLeases, isLeased, leaseMs, leaseOf } from '../../src/platform/work/index.ts'
import { countWaiting } from '../world/locks.ts'
import { answer, holdAnswers, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
let made = 0
useStage((opened) => ({ stage, inbox } = opened))
beforeEach(async () => {
  await sql`truncate delivery, delivery_attempt`.execute(stage.db)
  inbox.reply = answer(200)
  id = await stage.makeSource(`leases-${++made}`)
  await stage.put(id, { webhookUrl: inbox.url })
})

const [rows] = deliveryWork.rows

type Leased = { readonly lead: string; readonly id: string; readonly teamId: string; readonly fence: number }

const leaseOfLead = async (lead: string) =>
  (
    await sql<{ id: string; until: number | null; fence: number }>`
      select id, lease_until_ms as until, fence from delivery where lead_id = ${lead}`.execute(stage.db)
  ).rows[0]!

async function leaveUnderWay(): Promise<Leased> {
  const lead = await stage.detect(id)
  stage.armed.set('delivery.sent', 1)
  await expect(stage.step()).rejects.toThrow('armed fault')
  return { lead, teamId: stage.teamId, ...(await leaseOfLead(lead)) }
}

const ready = async () =>
  (await sql<{ ready: boolean }>`select ready from work_turn where kind = 'delivery'`.execute(stage.db)).rows

describe('the lease of a delivery', () => {
  test('counts as work that is under way, until it has run out', async () => {
    const { lead } = await leaveUnderWay()
    const under = async (nowMs: number) =>
      (await sql<{ is: boolean }>`select ${isLeased(deliveryWork.rows, nowMs)} as is`.execute(stage.db)).rows[0]!.is
    const until = (await leaseOfLead(lead)).until!
    expect([await under(until - 1), await under(until)]).toEqual([true, false])
    stage.state.skewMs += leaseMs
    await stage.drain()
    expect(await leaseOfLead(lead)).toMatchObject({ until: null })
  })

  test('is given back after an outage by whoever has it, and by nobody else, and marks the team, which was at rest', async () => {
    const leased = await leaveUnderWay()
    const endWithFence = (fence: number) => stage.unitOfWork((tx) => endLeases(tx, rows, [{ ...leased, fence }]))
    await endWithFence(leased.fence - 1)
    expect([await stage.step(), await ready()]).toEqual(['idle', [{ ready: false }]])
    await endWithFence(leased.fence)
    expect([await ready(), await stage.drain()]).toEqual([[{ ready: true }], 1])
  })

  test('that ends marks the team, which was put to rest meanwhile: its endpoint has room', async () => {
    await stage.detect(id)
    const held = holdAnswers(inbox)
    const underWay = stage.step()
    await held.arrived
    expect([await stage.step(), await ready()]).toEqual(['idle', [{ ready: false }]])
    held.answer(200)
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

  test('that another process takes over while an answer waits to be recorded: nothing is written of the answer', async () => {
    const lead = await stage.detect(id)
    const other = await stage.database.pool.connect()
    const taken = Promise.withResolvers<void>()
    const late = deliverStep({
      ...stage.deps,
      faultPoint: async (point) => {
        if (point !== 'delivery.sent') return
        await other.query('begin')
        await other.query('update delivery set fence = fence + 1 where lead_id = $1', [lead])
        taken.resolve()
      },
    })
    const recording = late()
    await taken.promise
    const {
      rows: [{ pid }],
    } = await other.query('select pg_backend_pid() as pid')
    await expect.poll(() => countWaiting(stage.database.pool, pid)).toBe(1)
    await other.query('commit')
    other.release()
    await recording
    expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead), await stage.log(lead)]).toEqual([
      'sending',
      'pending',
      [],
    ])
  })

  test.each([
    ['before it had what to send', 'delivery.leased'],
    ['before it sent', 'now'],
  ])(
    'of a process that stood still %s runs out, and nothing is sent under it: another has sent that by then',
    async (_when, place) => {
      const leads = [await stage.detect(id), await stage.detect(id)]
      const before = inbox.received.length
      let stood = false
      const standStill = async (where: string) => {
        if (stood || where !== place) return
        stood = true
        stage.state.skewMs += leaseMs
        await stage.drain(deliverStep({ ...stage.deps, processId: stage.ids.uuid(stage.state.now) }))
      }
      let asked = 0
      const slow = deliverStep({
        ...stage.deps,
        faultPoint: standStill,
        serviceNow: async () => {
          if (inbox.received.length === before && place === 'now' && ++asked > 1) await standStill('now')
          return stage.state.now
        },
      })
      await stage.drain(slow)
      expect(stood).toBe(true)
      expect(inbox.received.length - before).toBe(leads.length)
      for (const lead of leads) expect((await stage.delivery(lead))!.state).toBe('sent')
    },
  )
})

describe('a claim', () => {
  async function lay(count: number): Promise<void> {
    await sql`
      insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
      select ${stage.teamId}, gen_random_uuid(), ${id}, 'sync.completed', n::text, 'pending', '{}',
        ${stage.state.now}::timestamptz - interval '1 s' + n * interval '10 ms', ${stage.state.now}
      from generate_series(1, ${count}::int) n`.execute(stage.db)
    await stage.unitOfWork(async (tx) => tx.mark('delivery', stage.teamId))
  }

  /** A process that claims only this endpoint's deliveries, up to `limit` leases in total. */
  function openProcess(limit?: number) {
    const processId = stage.ids.uuid(stage.state.now)
    const limits: LeaseLimit[] = limit === undefined ? [] : [{ teamId: stage.teamId, ownerId: id, limit }]
    return (most: number) =>
      stage.unitOfWork((tx) => claimDue(tx, { lease: leaseOf(processId, stage.system.nowMs()), most, limits }))
  }

  test('takes what is due longest, five of an endpoint, and up to its limit with what earlier claims have taken', async () => {
    await lay(40)
    const first = await openProcess()(12)
    expect(first).toHaveLength(5)
    const { rows: oldest } = await sql<{ id: string }>`select id from delivery order by due_at limit 5`.execute(
      stage.db,
    )
    expect(first.map((one) => one.id)).toEqual(oldest.map((one) => one.id))
    await stage.unitOfWork((tx) => endLeases(tx, rows, first))
    const claim = openProcess(12)
    expect([
      (await claim(5)).length,
      (await claim(5)).length,
      (await claim(5)).length,
      (await claim(5)).length,
    ]).toEqual([5, 5, 2, 0])
  })

  test('leaves an endpoint its five while another process sends to it, too', async () => {
    await lay(40)
    const [one, other] = [openProcess(12), openProcess(12)]
    const leased = await one(5)
    await stage.unitOfWork((tx) => endLeases(tx, rows, leased.slice(0, 3)))
    expect([(await other(12)).length, (await one(12)).length]).toEqual([3, 0])
  })
})

describe('deliveries that a loop has claimed and that wait for their endpoint', () => {
  /** A receiver that answers the first `count` requests at once and holds all later ones. */
  function holdAfter(count: number) {
    const arrived: string[] = []
    const held: ServerResponse[] = []
    inbox.reply = (response) => {
      arrived.push(JSON.parse(inbox.received.at(-1)!.body.toString()).lead.id)
      if (arrived.length > count) held.push(response)
      else response.writeHead(200).end()
    }
    const answerAll = () => {
      inbox.reply = answer(200)
      for (const response of held) response.writeHead(200).end()
    }
    return { arrived, answerAll }
  }
  const leased = async () =>
    (
      await sql<{ count: number }>`
        select count(*)::integer as count from delivery where state = 'pending' and lease_owner is not null`.execute(
        stage.db,
      )
    ).rows[0]!.count
  const exclude = (leads: readonly string[]) =>
    stage.unitOfWork(async (tx) => {
      await sql`update lead set country_code = 'SE' where id = any(${leads}::uuid[])`.execute(tx.db)
      const { valid } = await readEntries(tx.db, stage.teamId, [{ kind: 'country', value: 'Sweden' }])
      await addOptOuts(tx, { teamId: stage.teamId, origin: 'api', createdBy: 'A test', entries: valid })
    })

  test('are not sent once their person is excluded [EXC-10, PRV-10]', async () => {
    inbox.received.length = 0
    const leads = await Promise.all(Array.from({ length: 300 }, () => stage.detect(id)))
    const receiver = holdAfter(100)
    // A stopped system clock: the receiver counts as fast, and nothing has waited too long.
    const nowMs = stage.system.nowMs()
    const sending = deliverStep({ ...stage.deps, system: { ...stage.system, nowMs: () => nowMs } })()
    await expect.poll(() => receiver.arrived.length).toBe(100 + maxInFlight)
    expect(await leased()).toBeGreaterThan(maxInFlight)
    const sent = [...receiver.arrived]
    const others = leads.filter((lead) => !sent.includes(lead))
    await exclude(others)
    receiver.answerAll()
    await sending
    expect(receiver.arrived.toSorted()).toEqual(sent.toSorted())
    expect(inbox.received).toHaveLength(sent.length)
    const states = await Promise.all(others.map(async (lead) => (await stage.delivery(lead))!.state))
    expect(new Set(states)).toEqual(new Set(['excluded']))
  })
})
