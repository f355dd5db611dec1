/** What is kept of a push is what its leads come to, whatever becomes of them, who dies meanwhile, and who is in the middle of it. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { pushOperations, queueingStep, replayDeliveries } from '../../src/modules/delivery/index.ts'
import { cancelHeldOfUntracked } from '../../src/modules/delivery/held-store.ts'
import { countPush, foldPushChanges, keepPushCounts, pushDrift } from '../../src/modules/delivery/push-counts.ts'
import { findPush } from '../../src/modules/delivery/push-progress.ts'
import { purgePushes } from '../../src/modules/delivery/retention.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { amount } from '../world/amount.ts'
import { useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
useStage((opened) => ({ stage, inbox } = opened))

const never = async () => {}
const dies = async () => {
  throw new Error('died')
}
/** Leaves a refusal and a death as they are: what they undid must be undone in the counts as well. */
const whatever = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    if (!(error instanceof Refusal) && (error as Error).message !== 'died') throw error
  })
}

const keep = (faultPoint = never) =>
  keepPushCounts({
    db: stage.db,
    unitOfWork: stage.unitOfWork,
    serviceNow: async () => stage.state.now,
    log: stage.deps.log,
    faultPoint,
  })

const push = (id: string, body: object, small = 5_000, faultPoint = never) =>
  pushOperations({ faultPoint, small }).pushSource(
    { id, ...body } as never,
    stage.context(stage.teamId) as never,
  ) as unknown as Promise<{ pushId: string }>

const queue = (faultPoint = never) =>
  queueingStep({
    unitOfWork: stage.unitOfWork,
    system: stage.system,
    owner: stage.deps.newOwnerId,
    faultPoint,
    batch: 2,
  })()

const pushes = async () =>
  (await sql<{ id: string; counted: boolean }>`select id, counted from push order by id`.execute(stage.db)).rows

/** Everything that is wrong with what is kept. */
async function wrong(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { id } of (await pushes()).filter(({ counted }) => counted)) {
    const drift = await pushDrift(stage.db, { teamId: stage.teamId, pushId: id })
    if (Object.keys(drift).length > 0) found.push(drift)
  }
  return found
}

/** What is there of pushes that are gone, or not added up. */
async function left(): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from push_change)::integer + (select count(*) from push_count c
      where not exists (select 1 from push p where p.team_id = c.team_id and p.id = c.push_id))::integer as left`.execute(
    stage.db,
  )
  return rows[0]!.left
}

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length]!
const statuses = [200, 200, 500, 404, 410]

/** What may happen to a team with sources `ids`; `n` chooses among what there is. */
const acts: Record<string, (ids: readonly string[], n: number) => Promise<unknown>> = {
  lead: (ids, n) =>
    stage.makeLead(pick(ids, n), {
      webhookStatus: 'no_webhook',
      enrichment: n % 3 === 0 ? 'pending' : 'completed',
      isIcp: n % 3 === 0 ? null : n % 2 === 0,
    }),
  enrich: async (ids, n) => {
    const { rows } = await sql<{ id: string }>`
      update lead set enrichment = 'completed', is_icp = ${n % 2 === 0}
      where id = (select id from lead where enrichment = 'pending' and owner_id = ${pick(ids, n)} order by id limit 1)
      returning id`.execute(stage.db)
    await stage.offer(rows.map(({ id }) => id))
  },
  push: (ids, n) => push(pick(ids, n), { icpOnly: n % 3 === 0 }, 5_000, n % 5 === 0 ? dies : never),
  'push of many': (ids, n) => push(pick(ids, n), { icpOnly: n % 3 === 0 }, -1),
  queue: (_ids, n) => queue(n % 4 === 0 ? dies : never),
  deliver: async (_ids, n) => {
    inbox.reply = (response) => void response.writeHead(pick(statuses, n)).end()
    stage.advance(n % 2 === 0 ? 3_600_000 : 0)
    await stage.step()
  },
  'clear the URL': (ids, n) => stage.put(pick(ids, n), { webhookUrl: '' }),
  'set the URL': (ids, n) => stage.put(pick(ids, n), { webhookUrl: inbox.url, autoSend: false }),
  replay: (ids, n) =>
    stage.unitOfWork((tx) =>
      replayDeliveries(tx, {
        teamId: stage.teamId,
        ownerId: pick(ids, n),
        states: n % 2 === 0 ? ['sent'] : ['failed', 'held'],
        since: new Date(0),
        after: null,
      }),
    ),
  untrack: async (ids, n) => {
    await sql`update source set status = 'inactive' where id = ${pick(ids, n)}`.execute(stage.db)
    await stage.unitOfWork((tx) => cancelHeldOfUntracked(tx, stage.teamId))
  },
  track: (ids, n) => sql`update source set status = 'active' where id = ${pick(ids, n)}`.execute(stage.db),
  'add up': () => keep(),
  'die while adding up': () => keep(dies),
  'add up one': () => stage.unitOfWork((tx) => foldPushChanges(tx, stage.teamId, 1)),
  'be from before': async (_ids, n) => {
    const known = await pushes()
    if (known.length === 0) return
    const { id } = pick(known, n)
    await sql`update push set counted = false where id = ${id}`.execute(stage.db)
    await sql`delete from push_count where push_id = ${id} and ${n % 2 === 0}`.execute(stage.db)
  },
  purge: (_ids, n) =>
    stage.unitOfWork((tx) =>
      purgePushes(tx, {
        teamId: stage.teamId,
        before: new Date(stage.state.now.getTime() + 1_000),
        limit: 1 + (n % 3),
        place: null,
      }),
    ),
}

const often = ['lead', 'lead', 'push', 'deliver', 'deliver', 'deliver', 'queue']
const histories = fc.array(fc.tuple(fc.constantFrom(...often, ...Object.keys(acts)), fc.nat(59)), {
  minLength: 10,
  maxLength: 40,
})

describe('what is kept of a push', () => {
  it('tells of a lead that is settled in one statement with others that no push lists [WHK-24]', async () => {
    const source = await stage.makeSource('person-beside')
    await stage.put(source, { webhookUrl: inbox.url, autoSend: false })
    for (let made = 0; made < 3; made++) await stage.makeLead(source, { webhookStatus: 'no_webhook' })
    await push(source, {})
    await sql`
      delete from push_lead where delivery_id <> (select max(id::text)::uuid from delivery)`.execute(stage.db)
    await sql`update delivery set state = 'held' where id in (select id from delivery order by id)`.execute(stage.db)
    expect(await wrong()).toEqual([])
  })

  it('is what its leads come to after every history of them, deaths among it [WHK-24]', async () => {
    let made = 0
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await sql`truncate push, push_lead, push_change, push_count, delivery, delivery_lease, delivery_attempt, lead`.execute(
          stage.db,
        )
        made += 1
        const ids = [
          await stage.makeSource(`person-${made}`),
          await stage.makeSource(`search-${made}`, stage.teamId, 'keyword'),
        ]
        for (const id of ids) await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
        for (const [act, n] of history) {
          await whatever(acts[act]!(ids, n))
          expect(await wrong(), act).toEqual([])
        }
        await sql`delete from task_put_off`.execute(stage.db)
        await keep()
        expect([await wrong(), await left(), (await pushes()).filter(({ counted }) => !counted)]).toEqual([[], 0, []])
        expect(await keep()).toBe(0)
      }),
      { numRuns: amount(25, 400) },
    )
  })

  it('is read as before for a push of an earlier release, and counted beside units that change its leads [WHK-24]', async () => {
    const id = await stage.makeSource('from-before')
    await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
    for (let lead = 0; lead < 5; lead++) await stage.makeLead(id, { webhookStatus: 'no_webhook' })
    const { pushId } = await push(id, {})
    await sql`update push set counted = false where id = ${pushId}`.execute(stage.db)
    await sql`delete from push_change where push_id = ${pushId}`.execute(stage.db)
    const read = async () => (await findPush(stage.db, stage.teamId, pushId))!.counts
    expect(await read()).toEqual({ pending: 5 })
    inbox.reply = (response) => void response.end()
    await stage.step()
    expect(await read()).toEqual({ pending: 4, delivered: 1 })
    // One unit has settled a lead and not committed, another counts, and a third adds up what it sees.
    const [settled, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const settling = stage.unitOfWork(async (tx) => {
      await sql`update delivery set state = 'failed' where owner_id = ${id} and id = (
        select id from delivery where owner_id = ${id} and state = 'pending' limit 1)`.execute(tx.db)
      settled.resolve()
      await end.promise
    })
    await settled.promise
    await keep()
    expect(await read()).toEqual({ pending: 4, delivered: 1 })
    end.resolve()
    await settling
    expect(await read()).toEqual({ pending: 3, delivered: 1, failed: 1 })
    expect(await wrong()).toEqual([])
    await Promise.all([1, 2, 3].map(() => keep()))
    expect([await read(), await left()]).toEqual([{ pending: 3, delivered: 1, failed: 1 }, 0])
  })

  it('loses who is withdrawn, and goes with the push [WHK-23, WHK-24]', async () => {
    const id = await stage.makeSource('withdrawn')
    await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
    const waiting = { webhookStatus: 'no_webhook', enrichment: 'pending' }
    const [fits, fitsNot] = [await stage.makeLead(id, waiting), await stage.makeLead(id, waiting)]
    const { pushId } = await push(id, { icpOnly: true })
    const kept = async () => (await findPush(stage.db, stage.teamId, pushId))?.counts
    expect(await kept()).toEqual({ held: 2 })
    await sql`update lead set enrichment = 'completed', is_icp = (id = ${fits})
      where id in (${fits}, ${fitsNot})`.execute(stage.db)
    await stage.offer([fits, fitsNot])
    expect([await kept(), await wrong()]).toEqual([{ pending: 1 }, []])
    inbox.reply = (response) => void response.end()
    await stage.drain()
    await keep()
    const purge = () =>
      stage.unitOfWork((tx) =>
        purgePushes(tx, {
          teamId: stage.teamId,
          before: new Date(stage.state.now.getTime() + 1_000),
          limit: 100,
          place: null,
        }),
      )
    while ((await purge()).more);
    expect([await kept(), await left()]).toEqual([undefined, 0])
  })

  it('is written once when two count it at once', async () => {
    const id = await stage.makeSource('twice')
    await stage.put(id, { webhookUrl: inbox.url, autoSend: false })
    for (let lead = 0; lead < 3; lead++) await stage.makeLead(id, { webhookStatus: 'no_webhook' })
    const { pushId } = await push(id, {})
    await keep()
    await sql`update push set counted = false where id = ${pushId}`.execute(stage.db)
    await sql`delete from push_count where push_id = ${pushId}`.execute(stage.db)
    const count = () => stage.unitOfWork((tx) => countPush(tx, { teamId: stage.teamId, pushId }))
    await Promise.all([count(), count(), count()])
    expect((await findPush(stage.db, stage.teamId, pushId))!.counts).toEqual({ pending: 3 })
  })
})
