/** Events that are not about leads: new posts of a posts-only watch, and ended syncs (specification «Events»; G48, G135). */
import type { postDetected, syncCompleted, syncFailed } from '@les/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { listRuns, type Run, captureStoppedBy } from '../sources/index.ts'
import { insertDeliveries, isCancelled, type DeliveryDraft } from './deliveries.ts'
import { findExcludedAuthors, rememberAuthors } from './excluded-posts.ts'
import { findSources } from './present.ts'
import { findWebhook, type Webhook } from './settings/store.ts'
import { receiversOfSource } from './team-wide/offers.ts'

type SourceRef = { readonly teamId: string; readonly sourceId: string }

const sourceOf = async (tx: Tx, { teamId, sourceId }: SourceRef) => {
  const source = (await findSources(tx.db, teamId, [sourceId])).get(sourceId)
  if (!source) throw new Error('an event of a source that does not exist')
  return { id: source.id, type: source.type, username: source.username }
}

async function queue(tx: Tx, teamId: string, drafts: readonly DeliveryDraft[]): Promise<void> {
  if ((await insertDeliveries(tx, teamId, drafts)) > 0) tx.enqueue('delivery', teamId)
}

/** An owner that gets the event; `sourceId` is the event's source when that is not the owner. */
type Receiver = { readonly ownerId: string; readonly sourceId: string | null; readonly generation: number }

async function ownReceiver(
  tx: Tx,
  { teamId, sourceId }: SourceRef,
  takes: (webhook: Webhook) => boolean,
): Promise<Receiver[]> {
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !takes(webhook)) return []
  return [{ ownerId: sourceId, sourceId: null, generation: webhook.generation }]
}

async function allReceivers(
  tx: Tx,
  source: SourceRef & { readonly event: string },
  takes: (webhook: Webhook) => boolean,
): Promise<Receiver[]> {
  const ofTeam = await receiversOfSource(tx, source)
  return [
    ...(await ownReceiver(tx, source, takes)),
    ...ofTeam.map(({ ownerId, generation }) => ({ ownerId, sourceId: source.sourceId, generation })),
  ]
}

const takesSyncs = ({ syncEvents }: Webhook): boolean => syncEvents

/** Queues a `post.detected` for posts just stored by a posts-only watch, if a URL is set and autoSend is on (WHK-11). */
export async function offerPosts(
  tx: Tx,
  { posts, ...of }: SourceRef & { readonly posts: readonly Post[] },
): Promise<void> {
  if (posts.length === 0) return
  const receivers = await allReceivers(tx, { ...of, event: 'post.detected' }, ({ autoSend }) => autoSend)
  if (receivers.length === 0) return
  const wanted = await withoutExcluded(tx, of.teamId, posts)
  if (wanted.length === 0) return
  await rememberAuthors(tx, of.teamId, wanted)
  const source = await sourceOf(tx, of)
  const drafts = receivers.flatMap((receiver) =>
    wanted.map((post): DeliveryDraft => {
      const body = postEvent(tx, source, post)
      const about = { id: body.id, event: body.event, subject: post.urn, leadId: null }
      return { ...receiver, ...about, automatic: true, body: Buffer.from(JSON.stringify(body)) }
    }),
  )
  await queue(tx, of.teamId, drafts)
}

async function withoutExcluded(tx: Tx, teamId: string, posts: readonly Post[]): Promise<readonly Post[]> {
  const authors = posts.map(({ author }) => author)
  const excluded = await findExcludedAuthors(tx.db, teamId, authors)
  return posts.filter((_post, place) => !excluded.has(place))
}

function postEvent(
  tx: Tx,
  source: z.input<typeof postDetected>['source'],
  { urn, url, text, author, commentsCount, totalReactionCount, contentType, postedAt }: Post,
): z.input<typeof postDetected> {
  const at = tx.now.toISOString()
  return {
    event: 'post.detected',
    id: tx.newId(),
    sentAt: at,
    source,
    post: {
      postUrn: urn,
      url,
      text,
      author: { name: author.name, url: author.url, headline: author.headline },
      commentsCount,
      totalReactionCount,
      contentType,
      postedAt: postedAt === null ? null : new Date(postedAt).toISOString(),
      detectedAt: at,
    },
  }
}

type EndedRun = {
  readonly syncId: string
  readonly state: 'completed' | 'failed'
  readonly stoppedBy: string | null
  readonly creditsSpent: number
  readonly leadRowsCaptured: number
  readonly errorCode: string | null
  readonly errorText: string | null
}

async function syncBody(
  tx: Tx,
  { teamId, sourceId, id }: SourceRef & { readonly id: string },
  { errorText, finishedAt, ...shown }: EndedRun & { readonly finishedAt: Date },
): Promise<Buffer> {
  const event: z.input<typeof syncCompleted> | z.input<typeof syncFailed> = {
    event: shown.state === 'completed' ? 'sync.completed' : 'sync.failed',
    id,
    sentAt: tx.now.toISOString(),
    source: await sourceOf(tx, { teamId, sourceId }),
    sync: {
      ...shown,
      finishedAt: finishedAt.toISOString(),
      ...(errorText === null ? {} : { error: errorText }),
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** Queues a `sync.failed`, or a `sync.completed` held until its leads are enriched (WHK-12, G157); needs URL and syncEvents. */
export async function offerSyncEnding(tx: Tx, { run, ...of }: SourceRef & { readonly run: EndedRun }): Promise<void> {
  const event = run.state === 'completed' ? 'sync.completed' : 'sync.failed'
  const receivers = await allReceivers(tx, { ...of, event }, takesSyncs)
  if (event === 'sync.completed') {
    for (const receiver of receivers) await awaitEnrichment(tx, of, receiver)
    return completeSyncs(tx, of.teamId, [of.sourceId])
  }
  const drafts: DeliveryDraft[] = []
  for (const receiver of receivers) {
    const id = tx.newId()
    const body = await syncBody(tx, { ...of, id }, { ...run, finishedAt: tx.now })
    drafts.push({ id, ...receiver, event, subject: run.syncId, leadId: null, automatic: false, body })
  }
  await queue(tx, of.teamId, drafts)
}

/** Inserts the `sync.completed` of a captured run as a held delivery without body; an existing one stays. */
async function awaitEnrichment(tx: Tx, { teamId, sourceId }: SourceRef, receiver: Receiver): Promise<void> {
  await sql`
    insert into delivery (team_id, id, owner_id, source_id, event, subject, generation, state, due_at, created_at,
      awaits_enrichment)
    select s.team_id, ${tx.newId()}::uuid, ${receiver.ownerId}::uuid, ${receiver.sourceId}::uuid, 'sync.completed', y.id::text,
      ${receiver.generation}, 'held', ${tx.now}::timestamptz, ${tx.now}::timestamptz, true
    from source s join sync y on y.team_id = s.team_id and y.id = s.last_sync_id and y.state = 'captured'
    where s.team_id = ${teamId} and s.id = ${sourceId} and s.status = 'active'
    on conflict (team_id, owner_id, event, subject) do nothing`.execute(tx.db)
}

/** When syncEvents is switched on: holds the event of a sync whose enrichment is still under way. */
export async function awaitOpenSync(tx: Tx, teamId: string, sourceId: string): Promise<void> {
  const { rows } = await sql`select 1 from source
    where team_id = ${teamId} and id = ${sourceId} and leads_pending > 0 and open_sync_id is null`.execute(tx.db)
  if (rows.length === 0) return
  for (const own of await ownReceiver(tx, { teamId, sourceId }, takesSyncs))
    await awaitEnrichment(tx, { teamId, sourceId }, own)
}

/** Sends or cancels (G157) the held event of locked sources without pending leads. Call whenever leads stop waiting. */
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
  const syncIds = rows.map(({ syncId }) => syncId)
  const runs = await listRuns(tx.db, teamId, syncIds)
  for (const { id, ownerId, sourceId, syncId, type } of rows) {
    const webhook = await findWebhook(tx.db, teamId, ownerId)
    const run = runs.get(syncId)
    const isWanted = webhook?.url != null && webhook.syncEvents && run?.finishedAt != null
    const body = isWanted
      ? await syncBody(tx, { teamId, sourceId, id }, { ...asEnded(type, run), finishedAt: run.finishedAt! })
      : null
    await sql`
      update delivery set state = ${body ? 'pending' : 'cancelled'}, awaits_enrichment = false, due_at = ${tx.now},
        finished_at = ${body ? null : tx.now}::timestamptz, body = ${body}
      where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  }
  tx.enqueue('delivery', teamId)
}

type SourceType = Parameters<typeof captureStoppedBy>[0]

/** A captured run as its event shows it; a keyword search shows its own `stoppedBy` (KRN-10). */
const asEnded = (type: SourceType, run: Run): EndedRun => ({
  syncId: run.id,
  state: 'completed',
  stoppedBy: type === 'keyword' ? run.stoppedBy : captureStoppedBy(type, run.state, run.stoppedBy),
  creditsSpent: run.creditsSpent,
  leadRowsCaptured: run.leadRows,
  errorCode: run.errorCode,
  errorText: run.errorText,
})
