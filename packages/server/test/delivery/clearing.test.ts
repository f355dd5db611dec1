/**
 * After a URL is cleared, waiting deliveries are never sent, shown or revived, whatever happens before all are cancelled; what is
 * queued later is sent (G134, WHK-17, WHK-20).
 */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  findPushable,
  initialWebhookStatus,
  offerLeads,
  offerPosts,
  offerSyncEnding,
  pushLeads,
  queueingStep,
  replayDeliveries,
  replayDelivery,
  settleCleared,
  tellErased,
} from '../../src/modules/delivery/index.ts'
import { listDeliveryRows, listEndpointRows } from '../../src/modules/reports/delivery-store.ts'
import { insertLeads, leadOperations, leadsById } from '../../src/modules/leads/index.ts'
import { countWaiting } from '../world/locks.ts'
import { answer, holdAnswers, refusalOf, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let id: string
let made = 0
useStage((opened) => ({ stage, inbox } = opened))
beforeEach(async () => {
  await sql`truncate delivery, delivery_attempt`.execute(stage.db)
  inbox.reply = answer(200)
  inbox.received.length = 0
  id = await stage.makeSource(`clearing-${++made}`)
  await stage.put(id, { webhookUrl: inbox.url })
})

const clear = () => stage.put(id, { webhookUrl: '' })
const set = () => stage.put(id, { webhookUrl: inbox.url })
const clearBehind = async (count = 5) => {
  const leads: string[] = []
  for (let n = 0; n < count; n++) leads.push(await stage.detect(id))
  await clear()
  await set()
  return leads
}
const giveUp = async (batch = 2) => {
  let all = 0
  for (let units = 1; units > 0; all += units) units = await settleCleared({ ...stage.deps, batch })
  return all
}
const push = (leadIds?: readonly string[], small?: number) => stage.push(id, leadIds ? { leadIds } : {}, small)
const progress = async (pushId: string) => (await stage.progress(pushId)).counts
const counts = (over: Record<string, number>) => ({
  pending: 0,
  sending: 0,
  delivered: 0,
  failed: 0,
  held: 0,
  excluded: 0,
  ...over,
})
const statusOf = async (ids: readonly string[]) => {
  const rows = await leadsById(stage.db, stage.teamId, ids)
  return ids.map((lead) => rows.find((row) => row.id === lead)?.webhookStatus)
}
const listed = async (webhookStatus: string) => {
  const { listLeads } = leadOperations
  const page = await listLeads(
    { limit: 50, offset: 0, webhookStatus, profileId: id } as never,
    stage.context(stage.teamId),
  )
  return (page as unknown as { leads: unknown[] }).leads.length
}
const stored = async (column: 'state' | 'webhook_status') =>
  (
    await sql<{
      of: string
    }>`select ${sql.ref(column)} as of from ${sql.table(column === 'state' ? 'delivery' : 'lead')}
      where owner_id = ${id} order by 1`.execute(stage.db)
  ).rows.map(({ of }) => of)
const log = async (state?: 'held' | 'cancelled' | 'pending') =>
  (
    await listDeliveryRows(stage.db, { teamId: stage.teamId, filter: { ownerId: id, state }, before: null, limit: 50 })
  ).map((row) => row.state)
const shown = async () =>
  (await listEndpointRows(stage.db, stage.teamId, stage.state.now)).find(({ ownerId }) => ownerId === id)?.counts
const sentLeads = () =>
  inbox.received.map(({ body }) => (JSON.parse(body.toString()) as { lead: { id: string } }).lead.id)

describe('while what waited for a cleared webhook is being given up', () => {
  test('of an erasure that has nowhere to go any more no bytes are kept [PRV-07]', async () => {
    for (let n = 0; n < 5; n++) await stage.detect(id)
    await stage.unitOfWork((tx) =>
      tellErased(tx, stage.teamId, {
        subjectHash: 'a hash',
        linkedinUrl: 'https://www.linkedin.com/in/ada',
        receivers: [{ ownerId: id, url: inbox.url, externalKeys: ['a lead'] }],
      }),
    )
    await clear()
    await giveUp()
    const { rows } = await sql`select state, body from delivery where event = 'person.erased'`.execute(stage.db)
    expect(rows).toEqual([{ state: 'cancelled', body: null }])
  })

  test('it is over for whoever reads, and never goes, though the URL is set again at once [WHK-20]', async () => {
    const leads = await clearBehind()
    expect([await stored('state'), await stored('webhook_status')]).toEqual([
      Array(5).fill('pending'),
      Array(5).fill('pending'),
    ])
    expect(await statusOf(leads)).toEqual(Array(5).fill('no_webhook'))
    expect([await listed('pending'), await listed('no_webhook')]).toEqual([0, 5])
    expect([await log(), await log('pending'), await log('cancelled')]).toEqual([
      Array(5).fill('cancelled'),
      [],
      Array(5).fill('cancelled'),
    ])
    expect(await shown()).toMatchObject({ waiting: 0, held: 0 })
    expect(await giveUp()).toBeGreaterThan(1)
    await stage.drain()
    expect([await stored('state'), await stored('webhook_status'), inbox.received]).toEqual([
      Array(5).fill('cancelled'),
      Array(5).fill('no_webhook'),
      [],
    ])
    expect([await giveUp(), (await stage.webhook(id))!.url]).toEqual([0, inbox.url])
  })

  test('what is detected for a URL that was set again goes, though not all that waited is ended', async () => {
    const old = await clearBehind()
    const lead = await stage.detect(id, { webhookStatus: 'no_webhook' })
    // As capture stores it: with the state and generation that new leads start with.
    const beginning = await initialWebhookStatus(stage.db, stage.teamId, id)
    await stage.unitOfWork((tx) =>
      insertLeads(
        tx,
        {
          teamId: stage.teamId,
          ownerId: id,
          sourceId: id,
          sourceKind: 'profile',
          syncId: null,
          enrichment: 'pending',
          ...beginning,
        },
        [
          {
            post: {
              urn: 'urn:li:activity:1',
              url: 'https://www.linkedin.com/feed/update/urn:li:activity:1',
              postedAt: null,
            },
            engagements: [
              {
                person: {
                  urn: 'ACoANEW',
                  name: 'New',
                  handle: null,
                  headline: null,
                  linkedinUrl: 'https://www.linkedin.com/in/ACoANEW',
                  avatarUrl: null,
                },
                key: 'reaction:1:ACoANEW',
                type: 'Like',
                reaction: 'Like',
                isReply: false,
                commentText: null,
                commentPostedAt: null,
              } as never,
            ],
          },
        ],
      ),
    )
    const captured = (
      await sql<{ id: string }>`select id from lead where owner_id = ${id} and person_urn = 'ACoANEW'`.execute(stage.db)
    ).rows[0]!.id
    await sql`update lead set enrichment = 'completed' where id = ${captured}`.execute(stage.db)
    expect(await statusOf([captured])).toEqual(['pending'])
    await stage.offer([captured, ...old, lead])
    expect(await shown()).toMatchObject({ waiting: 1 })
    expect([await listed('pending'), await log('pending')]).toEqual([1, ['pending']])
    await stage.drain()
    await giveUp()
    expect([sentLeads(), await statusOf([captured])]).toEqual([[captured], ['sent']])
  })

  test('a post and a sync that are told of meanwhile are none of what is given up, and go [WHK-11, WHK-12]', async () => {
    await clearBehind()
    await stage.put(id, { syncEvents: true })
    const author = { kind: 'person', urn: 'ACoAUTHOR', name: 'Author', handle: null, headline: null, url: null }
    const post = {
      urn: 'urn:li:activity:7',
      url: 'https://www.linkedin.com/feed/update/urn:li:activity:7',
      text: 'A post',
      author,
      commentsCount: 0,
      totalReactionCount: 0,
      contentType: null,
      postedAt: null,
    }
    const run = { syncId: stage.ids.uuid(stage.state.now), state: 'failed' as const, stoppedBy: null }
    await stage.unitOfWork(async (tx) => {
      const of = { teamId: stage.teamId, sourceId: id }
      await offerPosts(tx, { ...of, posts: [post as never] })
      await offerSyncEnding(tx, {
        ...of,
        run: { ...run, creditsSpent: 0, leadRowsCaptured: 0, errorCode: 'provider_error', errorText: 'no answer' },
      })
    })
    expect(await log('pending')).toEqual(['pending', 'pending'])
    await giveUp(1)
    await stage.drain()
    expect(
      inbox.received.map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event).toSorted(),
    ).toEqual(['post.detected', 'sync.failed'])
    expect((await stored('state')).toSorted()).toEqual([...Array(5).fill('cancelled'), 'sent', 'sent'])
  })

  test('leads whose enrichment ends meanwhile do not go out, as those that were given up before', async () => {
    const leads: string[] = []
    for (let n = 0; n < 4; n++) leads.push(await stage.makeLead(id, { enrichment: 'pending' }))
    await clear()
    await set()
    await sql`update lead set enrichment = 'completed' where owner_id = ${id}`.execute(stage.db)
    await stage.offer(leads)
    await giveUp()
    await stage.drain()
    expect([await stored('state'), inbox.received, await statusOf(leads)]).toEqual([
      [],
      [],
      Array(4).fill('no_webhook'),
    ])
  })

  test.each([['at once'], ['in the background']])(
    'a push takes up what is not given up yet, under its id, and that goes: %s [WHK-17, WHK-18, WHK-24]',
    async (how) => {
      const leads: string[] = []
      for (let n = 0; n < 5; n++) leads.push(await stage.makeLead(id))
      const first = await push()
      expect(first.queued).toBe(5)
      const ids = (await Promise.all(leads.map((lead) => stage.delivery(lead)))).map((row) => row!.id)
      await clear()
      await set()
      expect(await progress(first.pushId)).toEqual(counts({ failed: 5 }))
      const judged = await findPushable(stage.db, stage.teamId, {
        which: sql`l.team_id = ${stage.teamId} and l.owner_id = ${id}`,
        icpOnly: null,
      })
      expect(judged).toMatchObject([{ reason: 'now', count: 5 }])
      if (how === 'in the background')
        await sql`update source set lead_rows = 5, leads_completed = 5 where id = ${id}`.execute(stage.db)
      const again = how === 'at once' ? leads.slice(1, 4) : leads
      const second = await (how === 'at once' ? push(again) : push(undefined, 1))
      if (how === 'in the background') {
        const work = queueingStep({
          unitOfWork: stage.unitOfWork,
          system: stage.system,
          faultPoint: async () => {},
          processId: stage.deps.processId,
          batch: 2,
        })
        while ((await work()) === 'worked') {
          /* the next batch */
        }
      } else expect(second.queued).toBe(3)
      const gone = 5 - again.length
      expect(await progress(second.pushId)).toEqual(counts({ pending: again.length }))
      expect(await progress(first.pushId)).toEqual(counts({ pending: again.length, failed: gone }))
      expect([await push(again), await shown()]).toMatchObject([{ queued: 0 }, { waiting: again.length }])
      expect(await statusOf(again)).toEqual(again.map(() => 'pending'))
      await giveUp(1)
      expect(await progress(first.pushId)).toEqual(counts({ pending: again.length, failed: gone }))
      await stage.drain()
      expect(sentLeads().toSorted()).toEqual(again.toSorted())
      expect(inbox.received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
        again.map((lead) => ids[leads.indexOf(lead)]).toSorted(),
      )
      expect([await progress(second.pushId), await progress(first.pushId)]).toEqual([
        counts({ delivered: again.length }),
        counts({ delivered: again.length, failed: gone }),
      ])
    },
  )

  test('a replay takes up what was sent before, and nothing that was held', async () => {
    const sent = await stage.detect(id)
    await stage.drain()
    const held = [await stage.detect(id), await stage.detect(id), await stage.detect(id)]
    await sql`update delivery set state = 'held' where state = 'pending'`.execute(stage.db)
    await clear()
    await set()
    expect(await shown()).toMatchObject({ waiting: 0, held: 0 })
    const waiting = (await stage.delivery(held[2]!))!
    const of = waiting.state === 'held' ? waiting : (await stage.delivery(held[1]!))!
    expect((await refusalOf(stage.unitOfWork((tx) => replayDelivery(tx, stage.teamId, of.id)))).key).toBe(
      'not_replayable',
    )
    const all = await stage.unitOfWork((tx) =>
      replayDeliveries(tx, {
        teamId: stage.teamId,
        ownerId: id,
        states: ['sent', 'held'],
        since: new Date(0),
        after: null,
      }),
    )
    expect([all, await statusOf([sent, ...held])]).toEqual([
      { replayed: 1, next: null },
      ['pending', 'no_webhook', 'no_webhook', 'no_webhook'],
    ])
    await giveUp(1)
    await stage.drain()
    expect([sentLeads(), await statusOf([sent, ...held])]).toEqual([
      [sent, sent],
      ['sent', 'no_webhook', 'no_webhook', 'no_webhook'],
    ])
  })

  test.each([
    [200, 'sent', 'sent'],
    [500, 'cancelled', 'no_webhook'],
  ] as const)('an attempt that was under way comes to its end: %i makes it %s', async (status, state, lead) => {
    const leads = [await stage.detect(id)]
    const held = holdAnswers(inbox)
    const attempt = stage.step()
    await held.arrived
    for (let n = 0; n < 3; n++) leads.push(await stage.detect(id))
    // Keeps the request itself from cancelling this one.
    await sql`update delivery set attempts = 9 where lead_id = ${leads[0]}`.execute(stage.db)
    await sql`update lead set webhook_status = 'sent' where owner_id = ${id} and id <> ${leads[1]}`.execute(stage.db)
    await clear()
    await set()
    await sql`update delivery set state = 'pending', finished_at = null where lead_id = ${leads[0]}`.execute(stage.db)
    await sql`update lead set webhook_status = 'pending' where id = ${leads[0]}`.execute(stage.db)
    held.answer(status)
    await attempt
    await giveUp(1)
    await stage.drain()
    expect([(await stage.delivery(leads[0]!))!.state, await stage.leadStatus(leads[0]!)]).toEqual([state, lead])
    expect(inbox.received).toHaveLength(1)
  })

  test('a second clearing takes with it what was queued since the first', async () => {
    const leads = await clearBehind()
    expect(await push(leads)).toMatchObject({ queued: 5 })
    await clear()
    expect(await statusOf(leads)).toEqual(Array(5).fill('no_webhook'))
    await set()
    const last = await push(leads.slice(0, 1))
    expect(last.queued).toBe(1)
    await giveUp(1)
    await stage.drain()
    expect([sentLeads(), await stored('state')]).toEqual([[leads[0]], [...Array(4).fill('cancelled'), 'sent']])
  })

  test('a death before any commit of it costs nothing but that', async () => {
    await clearBehind()
    for (let deaths = 0; ; deaths++) {
      expect(deaths).toBeLessThan(30)
      // One unit commits before each crash.
      let units = 0
      const faultPoint = async () => {
        if (++units > 1) throw new Error('dies here')
      }
      await settleCleared({ ...stage.deps, batch: 1, faultPoint })
      await sql`delete from task_put_off`.execute(stage.db)
      await stage.drain()
      if (units === 0) break
    }
    expect([await stored('state'), await stored('webhook_status'), inbox.received]).toEqual([
      Array(5).fill('cancelled'),
      Array(5).fill('no_webhook'),
      [],
    ])
  })

  test('a lead that is being offered as the URL is cleared is given up, though it is written later', async () => {
    for (let n = 0; n < 3; n++) await stage.detect(id)
    await stage.drain()
    inbox.received.length = 0
    const late = await stage.makeLead(id)
    const early = await stage.makeLead(id)
    const [offered, commit] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
    const offering = stage.unitOfWork(async (tx) => {
      await offerLeads(tx, stage.teamId, [late])
      offered.resolve((await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)).rows[0]!.pid)
      await commit.promise
    })
    const offerer = await offered.promise
    // The other lead is marked as cancelled here, as the request would; the offered one is locked.
    await sql`update lead set webhook_status = 'failed' where id = ${early}`.execute(stage.db)
    await sql`update webhook set url = null, generation = generation + 1, cancelled_below_generation = generation + 1,
        clearing_unfinished = true
      where owner_id = ${id}`.execute(stage.db)
    await set()
    const givingUp = giveUp(50)
    await expect.poll(() => countWaiting(stage.database.pool, offerer)).toBe(1)
    commit.resolve()
    await offering
    await givingUp
    await stage.drain()
    expect([(await stage.delivery(late))!.state, await stage.leadStatus(late), inbox.received]).toEqual([
      'cancelled',
      'no_webhook',
      [],
    ])
  })

  test('a push that is under way as its leads come up keeps them', async () => {
    const leads = await clearBehind()
    const [queued, commit] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
    const pushing = stage.unitOfWork(async (tx) => {
      await pushLeads(tx, { teamId: stage.teamId, ownerId: id, leadIds: leads })
      queued.resolve((await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)).rows[0]!.pid)
      await commit.promise
    })
    const pusher = await queued.promise
    const givingUp = giveUp(50)
    await expect.poll(() => countWaiting(stage.database.pool, pusher)).toBe(1)
    commit.resolve()
    await pushing
    await givingUp
    expect([await stored('webhook_status'), await stored('state')]).toEqual([
      Array(5).fill('pending'),
      Array(5).fill('pending'),
    ])
    await stage.drain()
    expect([sentLeads().toSorted(), await statusOf(leads)]).toEqual([leads.toSorted(), Array(5).fill('sent')])
  })
})
