import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { deliverStep, offerLeads, pushLeads, queueingStep } from '../../src/modules/delivery/index.ts'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { countWaiting } from '../world/locks.ts'
import { holdAnswers, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))

test.each([
  [200, 'sent', 1],
  [500, 'pending', 1],
] as const)(
  'a push sends nothing beside an attempt in flight, also after its URL was cleared and set again; answered %s it is %s [WHK-17]',
  async (status, state, requests) => {
    const id = await stage.makeSource(`in-flight-${status}`)
    await stage.put(id, { webhookUrl: inbox.url })
    const lead = await stage.detect(id)
    const before = inbox.received.length
    const held = holdAnswers(inbox)
    const attempt = stage.step()
    await held.arrived
    expect(await stage.push(id)).toMatchObject({ queued: 0 })
    await stage.put(id, { webhookUrl: '' })
    await stage.put(id, { webhookUrl: inbox.url })
    expect(await stage.push(id)).toMatchObject({ queued: 1 })
    expect(await deliverStep(stage.deps)()).toBe('idle')
    held.answer(status)
    await attempt
    expect(inbox.received).toHaveLength(before + requests)
    expect([(await stage.delivery(lead))!.state, await stage.leadStatus(lead)]).toEqual([
      state,
      state === 'sent' ? 'sent' : 'pending',
    ])
    inbox.reply = (response) => void response.end()
    stage.advance(60_000)
    await stage.drain()
    expect(await stage.leadStatus(lead)).toBe('sent')
  },
)

test('a push of everybody takes whom an enrichment is just withdrawing from an earlier ICP-only one [WHK-18, WHK-21]', async () => {
  const id = await stage.makeSource('withdrawn')
  await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
  const lead = await stage.makeLead(id, { enrichment: 'pending', webhookStatus: 'no_webhook' })
  const pushWith = (icpOnly: boolean) => stage.push(id, { icpOnly })
  expect(await pushWith(true)).toMatchObject({ queued: 1 })
  const [ended, commit] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const enriching = stage.unitOfWork(async (tx) => {
    await sql`update lead set enrichment = 'completed', is_icp = false where id = ${lead}`.execute(tx.db)
    await offerLeads(tx, stage.teamId, [lead])
    ended.resolve((await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)).rows[0]!.pid)
    await commit.promise
  })
  const enricher = await ended.promise
  const everybody = pushWith(false)
  await expect.poll(() => countWaiting(stage.database.pool, enricher)).toBe(1)
  commit.resolve()
  await enriching
  expect(await everybody).toMatchObject({ queued: 1 })
  await stage.drain()
  expect(await stage.leadStatus(lead)).toBe('sent')
})

test('an agent pushes whom it names also when an earlier push holds them as ICP only [AGT-74, WHK-18]', async () => {
  const id = await stage.makeSource('held-for-an-agent')
  await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
  const lead = await stage.makeLead(id, { enrichment: 'pending', webhookStatus: 'no_webhook' })
  await stage.push(id, { icpOnly: true })
  const agents = { teamId: stage.teamId, ownerId: id, leadIds: [lead] }
  expect(await stage.unitOfWork((tx) => pushLeads(tx, agents))).toEqual({ considered: 1, queued: 0, excluded: 0 })
  await stage.unitOfWork(async (tx) => {
    await sql`update lead set enrichment = 'completed', is_icp = false where id = ${lead}`.execute(tx.db)
    await offerLeads(tx, stage.teamId, [lead])
  })
  await stage.drain()
  expect(await stage.leadStatus(lead)).toBe('sent')
})

test('a push tells what is under way right now [WHK-24]', async () => {
  const id = await stage.makeSource('under-way')
  await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
  for (const name of ['Ann', 'Ben']) await stage.makeLead(id, { name, webhookStatus: 'no_webhook' })
  const held = holdAnswers(inbox)
  const { pushId } = await stage.push(id)
  const attempt = stage.step()
  await held.arrived
  expect(await stage.progress(pushId)).toMatchObject({
    counts: { pending: 1, sending: 1, delivered: 0, failed: 0, held: 0, excluded: 0 },
    total: 2,
    finished: false,
  })
  held.answer(200)
  await attempt
  await stage.drain()
  expect(await stage.progress(pushId)).toMatchObject({
    counts: { pending: 0, sending: 0, delivered: 2, failed: 0, held: 0, excluded: 0 },
    total: 2,
    finished: true,
  })
})

test(
  'a push of many leads answers before they are queued, goes on where a worker died, takes every lead once and ' +
    'none that came later; criteria saved meanwhile decide [WHK-17, WHK-21, WHK-24, ICP-11]',
  async () => {
    const id = await stage.makeSource('many')
    await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
    const leads: string[] = []
    for (let lead = 0; lead < 10; lead++) {
      if (lead % 3 === 0) stage.advance(1_000)
      leads.push(
        await stage.makeLead(id, { name: lead % 2 === 0 ? 'Ann' : 'Ben', webhookStatus: 'no_webhook', isIcp: true }),
      )
    }
    await sql`update source set lead_rows = 10, leads_completed = 10 where id = ${id}`.execute(stage.db)
    const started = await stage.push(id, { icpOnly: true }, 9)
    expect(started).toMatchObject({ queued: 0, considered: 10, queueing: { looked: 0, considered: 10 } })
    stage.advance(1_000)
    await stage.makeLead(id, { name: 'Ann', webhookStatus: 'no_webhook', isIcp: true })
    const read = () => stage.progress(started.pushId)
    const step = (faultPoint: (point: FaultPoint) => Promise<void> = async () => {}) =>
      queueingStep({
        unitOfWork: stage.unitOfWork,
        system: stage.system,
        processId: stage.deps.processId,
        faultPoint,
        batch: 4,
      })()
    const dying = async () => {
      throw new Error('died')
    }
    await expect(step(dying)).rejects.toThrow('died')
    expect(await step()).toBe('worked')
    expect(await read()).toMatchObject({ total: 4, finished: false, queueing: { looked: 4, considered: 10 } })
    // Criteria saved during the push, before leads are rescored: only Ann fits.
    await sql`insert into icp (team_id, owner_id, rules, match_mode, version, saved_at)
      values (${stage.teamId}, ${id},
          ${JSON.stringify([{ column: 'name', operator: 'contains', value: 'Ann' }])}::jsonb, 'all', 1,
          ${stage.state.now})`.execute(stage.db)
    await sql`insert into icp_rescore (team_id, owner_id, version, judged, done, started_at)
      values (${stage.teamId}, ${id}, 1, 0, false, ${stage.state.now})`.execute(stage.db)
    await stage.drain()
    // All queued deliveries were sent, but the push has not finished queueing.
    expect(await read()).toMatchObject({ counts: { pending: 0, sending: 0, delivered: 4 }, finished: false })
    await expect(step(dying)).rejects.toThrow('died')
    expect([await step(), await step(), await step()]).toEqual(['worked', 'worked', 'idle'])
    await stage.drain()
    const expected = leads.filter((_lead, at) => at < 4 || at % 2 === 0)
    const { rows } = await sql<{
      lead: string
    }>`select lead_id as lead from delivery where owner_id = ${id} and state = 'sent'`.execute(stage.db)
    expect(rows.map(({ lead }) => lead).sort()).toEqual(expected.toSorted())
    const done = await read()
    expect(done).toMatchObject({ total: 7, finished: true, counts: { delivered: 7 } })
    expect(done).not.toHaveProperty('queueing')
  },
)

test('a push of many leads ends when its URL is cleared; what was queued is given up like any other [WHK-26]', async () => {
  const id = await stage.makeSource('many-cleared')
  await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
  for (let lead = 0; lead < 4; lead++) await stage.makeLead(id, { webhookStatus: 'no_webhook' })
  await sql`update source set lead_rows = 4, leads_completed = 4 where id = ${id}`.execute(stage.db)
  const { pushId } = await stage.push(id, {}, 2)
  const step = queueingStep({
    unitOfWork: stage.unitOfWork,
    system: stage.system,
    processId: stage.deps.processId,
    faultPoint: async () => {},
    batch: 2,
  })
  expect(await step()).toBe('worked')
  await stage.put(id, { webhookUrl: '' })
  expect([await step(), await step()]).toEqual(['worked', 'idle'])
  expect(await stage.progress(pushId)).toMatchObject({
    counts: { failed: 2 },
    total: 2,
    finished: true,
  })
})
