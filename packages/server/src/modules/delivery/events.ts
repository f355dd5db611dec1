/** Events that are not about leads: new posts of a posts-only watch, and syncs that end (specification «Events»; G48, G135). */
import type { postDetected, syncCompleted, syncFailed } from '@les/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { listRuns, type Run, captureStoppedBy } from '../sources/index.ts'
import { findSources, insertDeliveries, isCancelled, type DeliveryDraft } from './deliveries.ts'
import { findWebhook } from './settings/store.ts'

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

/** Queues a `post.detected` for posts that a posts-only watch has just stored, when a URL is set and autoSend is on (WHK-11). */
export async function offerPosts(
  tx: Tx,
  { teamId, sourceId, posts }: { readonly teamId: string; readonly sourceId: string; readonly posts: readonly Post[] },
): Promise<void> {
  if (posts.length === 0) return
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !webhook.autoSend) return
  const source = await sourceOf(tx, teamId, sourceId)
  const at = tx.now.toISOString()
  const drafts = posts.map(
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
        ownerId: sourceId,
        event: event.event,
        subject: urn,
        leadId: null,
        generation: webhook.generation,
        automatic: true,
        body: Buffer.from(JSON.stringify(event)),
      }
    },
  )
  await queue(tx, teamId, drafts)
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
  if (run.state === 'completed') {
    await awaitEnrichment(tx, teamId, sourceId)
    return completeSyncs(tx, teamId, [sourceId])
  }
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !webhook.syncEvents) return
  const id = tx.newId()
  const event = await syncEvent(tx, { teamId, sourceId, id, run: { ...run, finishedAt: tx.now } })
  await queue(tx, teamId, [
    {
      id,
      ownerId: sourceId,
      event: event.event,
      subject: run.syncId,
      leadId: null,
      generation: webhook.generation,
      automatic: false,
      body: Buffer.from(JSON.stringify(event)),
    },
  ])
}

/**
 * Makes the event of a source's last run wait, where that has captured and is told to a webhook: a held delivery without bytes. One that
 * is there already stays as it is.
 */
async function awaitEnrichment(tx: Tx, teamId: string, sourceId: string): Promise<void> {
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !webhook.syncEvents) return
  await sql`
    insert into delivery (team_id, id, owner_id, event, subject, generation, state, due_at, created_at, awaits_enrichment)
    select s.team_id, ${tx.newId()}::uuid, s.id, 'sync.completed', y.id::text, ${webhook.generation}, 'held',
      ${tx.now}::timestamptz, ${tx.now}::timestamptz, true
    from source s join sync y on y.team_id = s.team_id and y.id = s.last_sync_id and y.state = 'captured'
    where s.team_id = ${teamId} and s.id = ${sourceId} and s.status = 'active'
    on conflict (team_id, owner_id, event, subject) do nothing`.execute(tx.db)
}

/** Makes the event of a sync wait whose enrichment is under way while syncEvents is switched on: it is final only later. */
export async function awaitOpenSync(tx: Tx, teamId: string, sourceId: string): Promise<void> {
  const { rows } = await sql`select 1 from source
    where team_id = ${teamId} and id = ${sourceId} and leads_pending > 0 and open_sync_id is null`.execute(tx.db)
  if (rows.length > 0) await awaitEnrichment(tx, teamId, sourceId)
}

/**
 * Sends the events of syncs of these sources, which are locked, whose enrichment has ended (G157). Called wherever leads stop waiting for
 * enrichment; an event that is no longer wanted is called off.
 */
export async function completeSyncs(tx: Tx, teamId: string, sourceIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; ownerId: string; syncId: string; type: SourceType }>`
    select d.id, d.owner_id as "ownerId", d.subject as "syncId", s.type
    from delivery d join source s on s.team_id = d.team_id and s.id = d.owner_id
    where d.team_id = ${teamId} and d.owner_id = any(${[...sourceIds]}::uuid[]) and d.state = 'held'
      and d.event = 'sync.completed' and d.awaits_enrichment and not ${isCancelled}
      and s.leads_pending = 0 and s.status = 'active'
    order by d.id for update of d`.execute(tx.db)
  if (rows.length === 0) return
  const runs = await listRuns(
    tx.db,
    teamId,
    rows.map(({ syncId }) => syncId),
  )
  for (const { id, ownerId, syncId, type } of rows) {
    const webhook = await findWebhook(tx.db, teamId, ownerId)
    const run = runs.get(syncId)
    const isWanted = webhook?.url != null && webhook.syncEvents && run?.finishedAt != null
    const event = isWanted
      ? await syncEvent(tx, {
          teamId,
          sourceId: ownerId,
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
