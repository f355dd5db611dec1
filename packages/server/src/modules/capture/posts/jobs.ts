import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { type WorkDeps, defineWork, leaseOf } from '../../../platform/work/index.ts'
import {
  ProviderFailure,
  type Network,
  type PageCursor,
  type PostsOf,
  type VendorId,
} from '../../../providers/ports.ts'
import { openForTeam, sealForTeam } from '../../accounts/index.ts'
import { claimJob, completeJob, failOrPostponeJob, jobRows, lockJob, recordUnexpectedOfJob } from '../../jobs/index.ts'
import { shareAccount } from '../../credits/index.ts'
import { eraseRecognisedAuthors, type RecognisingDeps } from '../../network/index.ts'
import { presentNetworkPost } from './present.ts'
import { findKeptPage, savePage, type KeptPage, type VendorRead } from './store.ts'

type PostsJobDeps = Omit<WorkDeps, 'faultPoint'> &
  RecognisingDeps & {
    readonly network: Network
    readonly vault: Vault
    readonly serviceNow: (db: Reader) => Promise<Date>
  }

/** A place in a vendor's list of posts: a page, and how many of its rows were shown. */
type PostsPlace = {
  readonly from: VendorId
  readonly number: number
  readonly cursor: PageCursor
  readonly skip: number
}

const sealedFor = (sourceId: string) => `posts-page|${sourceId}`
const shape = /^[A-Za-z0-9_-]{40,4000}$/

/** A place as a `paginationToken`, sealed for one team and source, so that it cannot be forged or used for another (PJB-04). */
async function writeToken(
  db: Reader,
  { vault, source, place }: { vault: Vault; source: { teamId: string; id: string }; place: PostsPlace },
): Promise<string> {
  return (
    await sealForTeam(db, { vault, teamId: source.teamId, place: sealedFor(source.id), plain: JSON.stringify(place) })
  ).toString('base64url')
}

/** Reads a token of this team and source; null for anything else. */
export async function readToken(
  db: Reader,
  { vault, source, token }: { vault: Vault; source: { teamId: string; id: string }; token: string },
): Promise<PostsPlace | null> {
  if (!shape.test(token)) return null
  const text = await openForTeam(db, {
    vault,
    teamId: source.teamId,
    place: sealedFor(source.id),
    sealed: Buffer.from(token, 'base64url'),
  })
  return text === null ? null : (JSON.parse(text) as PostsPlace)
}

export type PostsJobPayload = {
  readonly sourceId: string
  readonly of: PostsOf
  readonly limit: number
  readonly place: PostsPlace | null
}

type Shown = ReturnType<typeof presentNetworkPost>
type Read = { readonly posts: readonly Shown[]; readonly next: PostsPlace | null }

const maxPages = 5

async function pageAt(
  deps: PostsJobDeps,
  { read, of, place }: { read: VendorRead; of: PostsOf; place: PostsPlace | null },
): Promise<{ page: KeptPage<Shown>; from: VendorId }> {
  if (place) {
    const { from: provider, number } = place
    const now = await deps.serviceNow(deps.db)
    const kept = await findKeptPage<Shown>(deps.db, { ...read, provider, number, now })
    if (kept) return { page: kept, from: provider }
  }
  const asked = await deps.network.posts(of, place && { from: place.from, cursor: place.cursor })
  const page = await deps.unitOfWork(async (tx): Promise<KeptPage<Shown>> => {
    // Waits for an erasure that is under way.
    await shareAccount(tx, read.teamId, 'team')
    const items = (await deps.blockList.withoutAuthors(tx, read.teamId, asked.items)).map(presentNetworkPost)
    const kept = { number: place?.number ?? 0, items, replies: [], next: asked.next, total: asked.total }
    await savePage(tx, { ...read, provider: asked.source }, kept)
    return kept
  })
  await eraseRecognisedAuthors(deps, read.teamId, asked.items)
  return { page, from: asked.source }
}

/** Reads `limit` posts from a place on, and one more to know whether any follows. */
async function readPosts(
  deps: PostsJobDeps,
  teamId: string,
  { sourceId, of, limit, place }: PostsJobPayload,
): Promise<Read> {
  const read: VendorRead = { teamId, kind: 'posts', subject: sourceId }
  const found = new Map<string, Shown>()
  let at = place
  for (let asked = 0; asked < maxPages; asked += 1) {
    const { page, from } = await pageAt(deps, { read, of, place: at })
    const first = at?.skip ?? 0
    for (let index = first; index < page.items.length; index += 1) {
      const post = page.items[index]!
      if (found.has(post.urn)) continue
      if (found.size === limit)
        return {
          posts: [...found.values()],
          next: { from, number: page.number, cursor: at?.cursor ?? {}, skip: index },
        }
      found.set(post.urn, post)
    }
    if (page.next === null) return { posts: [...found.values()], next: null }
    at = { from, number: page.number + 1, cursor: page.next, skip: 0 }
  }
  return { posts: [...found.values()], next: at }
}

function postsJobStep(deps: PostsJobDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const job = await deps.unitOfWork((tx) => claimJob(tx, 'posts_job', leaseOf(deps.processId, deps.system.nowMs())))
    if (!job) return 'idle'
    const payload = job.payload as PostsJobPayload
    try {
      const { posts, next } = await readPosts(deps, job.teamId, payload)
      await deps.unitOfWork(async (tx) => {
        if (!(await lockJob(tx, job))) return
        const paginationToken =
          next &&
          (await writeToken(tx.db, {
            vault: deps.vault,
            source: { teamId: job.teamId, id: payload.sourceId },
            place: next,
          }))
        await completeJob(tx, job, { posts, paginationToken, hasMore: next !== null })
      })
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      await deps.unitOfWork((tx) =>
        failOrPostponeJob(tx, {
          job,
          failure: error,
          notFound: job.type === 'profile_posts' ? 'Profile not found' : 'Company not found',
        }),
      )
    }
    return 'worked'
  }
}

export const postsJobWork = defineWork({
  kind: 'posts_job',
  rows: [jobRows.posts_job],
  step: postsJobStep,
  unexpected: { job: recordUnexpectedOfJob },
})
