/** Events that are not about leads: new posts of a posts-only watch, and syncs that end (specification «Events»; G48, G135). */
import type { postDetected, syncCompleted, syncFailed } from '@les/contract'
import type { z } from 'zod'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { keepQueued } from './clearing.ts'
import { findSources } from './sources-store.ts'
import { findWebhook } from './settings-store.ts'
import { insertDeliveries, type DeliveryDraft } from './store.ts'

type PostEvent = z.input<typeof postDetected>
type SyncEvent = z.input<typeof syncCompleted> | z.input<typeof syncFailed>

const sourceOf = async (tx: Tx, teamId: string, id: string) => {
  const source = (await findSources(tx.db, teamId, [id])).get(id)
  if (!source) throw new Error('an event of a source that does not exist')
  return { id: source.id, type: source.type, username: source.username }
}

/** Queues events for the webhook of one owner. */
async function queue(
  tx: Tx,
  { teamId, clearing }: { readonly teamId: string; readonly clearing: string | null },
  drafts: readonly DeliveryDraft[],
): Promise<void> {
  const queued = await insertDeliveries(tx, teamId, drafts)
  if (queued.length === 0) return
  await keepQueued(tx, { teamId, clearing }, queued)
  tx.enqueue('delivery', teamId)
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
        body: Buffer.from(JSON.stringify(event)),
      }
    },
  )
  await queue(tx, { teamId, clearing: webhook.clearing }, drafts)
}

/** A run that has just ended. */
export type EndedRun = {
  readonly syncId: string
  readonly state: 'completed' | 'failed'
  readonly stoppedBy: string | null
  readonly creditsSpent: number
  readonly leadRowsCaptured: number
  readonly errorCode: string | null
  readonly errorText: string | null
}

/** Queues a `sync.completed` or `sync.failed`, when a URL is set and syncEvents is on (WHK-12). */
export async function offerSyncEnding(
  tx: Tx,
  { teamId, sourceId, run }: { readonly teamId: string; readonly sourceId: string; readonly run: EndedRun },
): Promise<void> {
  const webhook = await findWebhook(tx.db, teamId, sourceId)
  if (webhook?.url == null || !webhook.syncEvents) return
  const id = tx.newId()
  const { errorText, ...shown } = run
  const finishedAt = tx.now.toISOString()
  const sync = { ...shown, finishedAt, ...(errorText === null ? {} : { error: errorText }) }
  const common = { id, sentAt: finishedAt, source: await sourceOf(tx, teamId, sourceId), sync }
  const event: SyncEvent =
    run.state === 'completed' ? { event: 'sync.completed', ...common } : { event: 'sync.failed', ...common }
  await queue(tx, { teamId, clearing: webhook.clearing }, [
    {
      id,
      ownerId: sourceId,
      event: event.event,
      subject: run.syncId,
      leadId: null,
      body: Buffer.from(JSON.stringify(event)),
    },
  ])
}
