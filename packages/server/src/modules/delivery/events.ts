/** Events that are not about leads: new posts of a posts-only watch, and syncs that end (specification «Events»; G48, G135). */
import type { postDetected, syncCompleted, syncFailed } from '@les/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { listRuns, type Run, captureStoppedBy } from '../sources/index.ts'
import { findSources, insertDeliveries, isCancelled, type DeliveryDraft } from './deliveries.ts'
import { findExcludedAuthors } from './excluded-posts.ts'
import { findWebhook, type Webhook } from './settings/store.ts'
import { receiversOfSource } from './team-wide/offers.ts'

type PostEvent = z.input<typeof postDetected>
type SyncEvent = z.input<typeof syncCompleted> | z.input<typeof syncFailed>

const sourceOf = async (tx: Tx, teamId: string, id: string) => {
  const source = (await findSources(tx.db, teamId, [id])).get(id)
  if (!source) throw new Error('an event of a source that does not exist')
  return { id: source.id, type: source.type, username: source.username }
}

/** Queues events. */
async function queue(tx: Tx, teamId: string, drafts: readonly DeliveryDraft[]): Promise<void> {
  if ((await insertDeliveries(tx, teamId, drafts)) > 0) tx.enqueue('delivery', teamId)
}

/** To whom an event goes. `sourceId`: the source whose event it is, where that is not the owner itself. */
type Receiver = { readonly ownerId: string; readonly sourceId: string | null; readonly generation: number }

/** The webhook of a source itself, when it has a URL and is set to take such events. */
async function ownReceiver(
  tx: Tx,
  { teamId, sourceId }: { readonly teamId: string; readonly sourceId: string },
  takes: (webhook: Webhook) => boolean,
): Promise<Receiver[]> {
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !takes(webhook)) return []
  return [{ ownerId: sourceId, sourceId: null, generation: webhook.generation }]
}

/** That, and the receivers of the team. */
async function allReceivers(
  tx: Tx,
  { event, ...source }: { readonly teamId: string; readonly sourceId: string; readonly event: string },
  takes: (webhook: Webhook) => boolean,
): Promise<Receiver[]> {
  const ofTeam = await receiversOfSource(tx, { ...source, event })
  return [
    ...(await ownReceiver(tx, source, takes)),
    ...ofTeam.map(({ ownerId, generation }) => ({ ownerId, sourceId: source.sourceId, generation })),
  ]
}

const takesSyncs = ({ syncEvents }: Webhook): boolean => syncEvents

/** Queues a `post.detected` for posts that a posts-only watch has just stored, when a URL is set and autoSend is on (WHK-11). */
export async function offerPosts(
  tx: Tx,
  { teamId, sourceId, posts }: { readonly teamId: string; readonly sourceId: string; readonly posts: readonly Post[] },
): Promise<void> {
  if (posts.length === 0) return
  const receivers = await allReceivers(tx, { teamId, sourceId, event: 'post.detected' }, ({ autoSend }) => autoSend)
  if (receivers.length === 0) return
  const wanted = await withoutExcluded(tx, teamId, posts)
  if (wanted.length === 0) return
  const source = await sourceOf(tx, teamId, sourceId)
  for (const receiver of receivers) await queue(tx, teamId, postDrafts(tx, { receiver, source, posts: wanted }))
}

/** Posts but those of people who are excluded. */
async function withoutExcluded(tx: Tx, teamId: string, posts: readonly Post[]): Promise<readonly Post[]> {
  const authors = posts.map(({ author }) => author)
  const excluded = await findExcludedAuthors(tx.db, teamId, authors)
  return posts.filter((_post, place) => !excluded.has(place))
}

function postDrafts(
  tx: Tx,
  {
    receiver,
    source,
    posts,
  }: {
    readonly receiver: Receiver
    readonly source: Awaited<ReturnType<typeof sourceOf>>
    readonly posts: readonly Post[]
  },
): DeliveryDraft[] {
  const at = tx.now.toISOString()
  return posts.map(
    ({ urn, url, text, author, commentsCount, totalReactionCount, contentType, postedAt }): DeliveryDraft => {
      const id = tx.newId()
      const { name, url: authorUrl, headline } = author
      const event: PostEvent = {
        event: 'post.detected',
        id,
        sentAt: at,
        source,
        post: {
          postUrn: urn,
          url,
          text,
          author: { name, url: authorUrl, headline },
          commentsCount,
          totalReactionCount,
          contentType,
          postedAt: postedAt === null ? null : new Date(postedAt).toISOString(),
          detectedAt: at,
        },
      }
      return {
        id,
        ...receiver,
        event: event.event,
        subject: urn,
        leadId: null,
        automatic: true,
        body: Buffer.from(JSON.stringify(event)),
      }
    },
  )
}

/** A run that has just ended. */
type EndedRun = {
  readonly syncId: string
  readonly state: 'completed' | 'failed'
  readonly stoppedBy: string | null
  readonly creditsSpent: number
  readonly leadRowsCaptured: number
  readonly errorCode: string | null
  readonly errorText: string | null
}

/** An event of a run, as it is told at `sentAt`. */
async function syncEvent(
  tx: Tx,
  {
    teamId,
    sourceId,
    id,
    run: { errorText, finishedAt, ...shown },
  }: {
    readonly teamId: string
    readonly sourceId: string
    readonly id: string
    readonly run: EndedRun & { readonly finishedAt: Date }
  },
): Promise<SyncEvent> {
  const sync = {
    ...shown,
    finishedAt: finishedAt.toISOString(),
    ...(errorText === null ? {} : { error: errorText }),
  }
  const common = { id, sentAt: tx.now.toISOString(), source: await sourceOf(tx, teamId, sourceId), sync }
  return shown.state === 'completed' ? { event: 'sync.completed', ...common } : { event: 'sync.failed', ...common }
}

/**
 * Queues a `sync.failed`, or makes a `sync.completed` wait until the enrichment of what was captured has ended (WHK-12, G157); when a URL
 * is set and syncEvents is on.
 */
export async function offerSyncEnding(
  tx: Tx,
  { teamId, sourceId, run }: { readonly teamId: string; readonly sourceId: string; readonly run: EndedRun },
): Promise<void> {
  const source = { teamId, sourceId }
  if (run.state === 'completed') {
    const receivers = await allReceivers(tx, { ...source, event: 'sync.completed' }, takesSyncs)
    for (const receiver of receivers) await awaitEnrichment(tx, source, receiver)
    return completeSyncs(tx, teamId, [sourceId])
  }
  const drafts: DeliveryDraft[] = []
  for (const receiver of await allReceivers(tx, { ...source, event: 'sync.failed' }, takesSyncs)) {
    const id = tx.newId()
    const event = await syncEvent(tx, { ...source, id, run: { ...run, finishedAt: tx.now } })
    const body = Buffer.from(JSON.stringify(event))
    drafts.push({ id, ...receiver, event: event.event, subject: run.syncId, leadId: null, automatic: false, body })
  }
  await queue(tx, teamId, drafts)
}

/**
 * Makes the event of a source's last run wait, where that has captured and is told to a webhook: a held delivery without bytes. One that
 * is there already stays as it is.
 */
async function awaitEnrichment(
  tx: Tx,
  { teamId, sourceId }: { readonly teamId: string; readonly sourceId: string },
  receiver: Receiver,
): Promise<void> {
  await sql`
    insert into delivery (team_id, id, owner_id, source_id, event, subject, generation, state, due_at, created_at,
      awaits_enrichment)
    select s.team_id, ${tx.newId()}::uuid, ${receiver.ownerId}::uuid, ${receiver.sourceId}::uuid, 'sync.completed', y.id::text,
      ${receiver.generation}, 'held', ${tx.now}::timestamptz, ${tx.now}::timestamptz, true
    from source s join sync y on y.team_id = s.team_id and y.id = s.last_sync_id and y.state = 'captured'
    where s.team_id = ${teamId} and s.id = ${sourceId} and s.status = 'active'
    on conflict (team_id, owner_id, event, subject) do nothing`.execute(tx.db)
}

/** Makes the event of a sync wait whose enrichment is under way while syncEvents is switched on: it is final only later. */
export async function awaitOpenSync(tx: Tx, teamId: string, sourceId: string): Promise<void> {
  const { rows } = await sql`select 1 from source
    where team_id = ${teamId} and id = ${sourceId} and leads_pending > 0 and open_sync_id is null`.execute(tx.db)
  if (rows.length === 0) return
  for (const own of await ownReceiver(tx, { teamId, sourceId }, takesSyncs))
    await awaitEnrichment(tx, { teamId, sourceId }, own)
}

/**
 * Sends the events of syncs of these sources, which are locked, whose enrichment has ended (G157). Called wherever leads stop waiting for
 * enrichment; an event that is no longer wanted is called off.
 */
export async function completeSyncs(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<void> {
  const ids = [...sourceIds]
  const waits = sql`team_id = ${teamId} and state = 'held' and event = 'sync.completed'`
  const { rows } = await sql<{ id: string; ownerId: string; sourceId: string; syncId: string; type: SourceType }>`
    select d.id, d.owner_id as "ownerId", s.id as "sourceId", d.subject as "syncId", s.type
    from delivery d join source s on s.team_id = d.team_id and s.id = coalesce(d.source_id, d.owner_id)
    where d.team_id = ${teamId} and d.id = any(array(
        select id from delivery where ${waits} and owner_id = any(${ids}::uuid[])
        union all select id from delivery where ${waits} and source_id = any(${ids}::uuid[])))
      and d.state = 'held' and d.awaits_enrichment and not ${isCancelled}
      and s.leads_pending = 0 and s.status = 'active'
    order by d.id for update of d`.execute(tx.db)
  if (rows.length === 0) return
  const runs = await listRuns(
    tx.db,
    teamId,
    rows.map(({ syncId }) => syncId),
  )
  for (const { id, ownerId, sourceId, syncId, type } of rows) {
    const webhook = await findWebhook(tx.db, teamId, ownerId)
    const run = runs.get(syncId)
    const isWanted = webhook?.url != null && webhook.syncEvents && run?.finishedAt != null
    const event = isWanted
      ? await syncEvent(tx, {
          teamId,
          sourceId,
          id,
          run: { ...asEnded(type, run), finishedAt: run.finishedAt! },
        })
      : null
    await sql`
      update delivery set state = ${event ? 'pending' : 'cancelled'}, awaits_enrichment = false, due_at = ${tx.now},
        finished_at = ${event ? null : tx.now}::timestamptz, body = ${event && Buffer.from(JSON.stringify(event))}
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
  tx.enqueue('delivery', teamId)
}

type SourceType = Parameters<typeof captureStoppedBy>[0]

/** A run that has captured, as its event tells it: of a keyword search the ending is the run's own (KRN-10). */
const asEnded = (type: SourceType, run: Run): EndedRun => ({
  syncId: run.id,
  state: 'completed',
  stoppedBy: type === 'keyword' ? run.stoppedBy : captureStoppedBy(type, run.state, run.stoppedBy),
  creditsSpent: run.creditsSpent,
  leadRowsCaptured: run.leadRows,
  errorCode: run.errorCode,
  errorText: run.errorText,
})
