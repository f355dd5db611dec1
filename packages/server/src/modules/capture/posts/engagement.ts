/** Engagement jobs, free: run inside their request, in turn, and stored final in one unit (JOB-08, JOB-09; G81, G82, G84). */
import { bounds, type Answer, type Input, type OperationOf } from '@les/contract'
import type { Handlers, Settled, WriteContext } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { ProviderFailure, describeFailure } from '../../../providers/ports.ts'
import { insertFinalJob, type AtOnceJobType, type JobError } from '../../jobs/index.ts'
import { commentRows, reactionRows } from './present.ts'
import { findHeldPost, type HeldPost } from './store.ts'
import { inTurn } from './turns.ts'
import { readWindow, withoutBlocked, withoutErasedRows, type Window, type WindowDeps } from './window.ts'

type JobAnswer = Answer<OperationOf<'fetchPostReactions'>>
type Context = WriteContext<JobAnswer>
type CommentsInput = Input<OperationOf<'fetchPostComments'>>
type Result = Readonly<Record<string, unknown>>

type Read = { readonly name: 'comments' | 'reactions'; readonly rows: Window['rows']; readonly rest: Result }

function failureOf(error: unknown): JobError {
  if (!(error instanceof ProviderFailure)) throw error
  if (error.kind === 'not_found') return { status: 404, error: 'Post not found on the network' }
  return {
    status: 502,
    code: 'provider_unavailable',
    error: `${describeFailure(error)}; nothing was changed and nothing was charged`,
  }
}

type AboutPost = { readonly teamId: string; readonly post: HeldPost; readonly now: Date }

async function runJob(
  deps: WindowDeps,
  {
    type,
    input,
    context: { caller, db, now, unitOfWork },
  }: { type: AtOnceJobType; input: { postUrn: string }; context: Context },
  read: (about: AboutPost) => Promise<Read>,
): Promise<Settled<JobAnswer>> {
  const { teamId } = caller
  const post =
    (await findHeldPost(db, teamId, input.postUrn)) ??
    refuse(
      'not_found',
      {},
      'The team holds no such post: track it, or find it with a posts-only watch or a keyword search',
    )
  const work = () =>
    read({ teamId, post, now }).then(
      (found) => ({ found }),
      (error: unknown) => ({ error: failureOf(error) }),
    )
  const outcome = await inTurn(deps, { teamId, work })
  return unitOfWork(async (tx) => {
    if ('error' in outcome) return { jobId: await insertFinalJob(tx, { teamId, type, payload: { ...input }, outcome }) }
    // Somebody may have been erased while further pages were read.
    const { name, rows, rest } = outcome.found
    const kept = await withoutErasedRows(
      tx,
      { blockList: deps.blockList, teamId },
      { items: rows, rowOf: (row) => row },
    )
    const result = { ...rest, [name]: kept }
    return { jobId: await insertFinalJob(tx, { teamId, type, payload: { ...input }, outcome: { result } }) }
  })
}

/**
 * The number of comments (G162): with replies the post's own count, or the vendor's total if larger; else the vendor's total of
 * the top level. Never less than the rows seen; null when there is no count and the list was not read to its end.
 */
function commentsIn(post: HeldPost, found: Window, includeReplies: boolean): number | null {
  const declared = includeReplies
    ? post.commentsCount === null
      ? null
      : Math.max(post.commentsCount, found.total ?? 0)
    : found.total
  if (found.complete) return Math.max(declared ?? 0, found.seen)
  return declared === null ? null : Math.max(declared, found.seen)
}

const commentsJob = (deps: WindowDeps, type: AtOnceJobType) => (input: CommentsInput, context: Context) =>
  runJob(deps, { type, input, context }, async (about) => {
    const { page = 0, size = bounds.commentsSize.default, includeReplies = true } = input
    const found = await readWindow(deps, {
      ...about,
      kind: 'comments',
      from: undefined,
      offset: page * size,
      count: size,
      includeReplies,
      ask: async (at, options) => {
        const asked = await deps.network.comments(about.post, at, options)
        // A total that counts replies is useless for the top level; with replies, the post's own count is taken.
        const total = asked.countsReplies ? null : asked.total
        return {
          page: { ...asked, total },
          rows: commentRows(await withoutBlocked(deps, about.teamId, asked.items)),
          replies: asked.moreReplies,
        }
      },
    })
    return {
      name: 'comments',
      rows: found.rows,
      rest: {
        postUrn: about.post.urn,
        page,
        size,
        total: commentsIn(about.post, found, includeReplies),
        hasMore: found.hasMore,
      },
    }
  })

export const engagementOperations = (
  deps: WindowDeps,
): Handlers<'fetchPostReactions' | 'fetchPostComments' | 'fetchCompanyPostComments'> => ({
  fetchPostReactions: (input, context) =>
    runJob(deps, { type: 'post_reactions', input, context }, async (about) => {
      const { page = 0 } = input
      const found = await readWindow(deps, {
        ...about,
        kind: 'reactions',
        // Any vendor serves page 0, and a `source` is ignored there (G84). On later pages it names the vendor for a read without
        // a kept page 0.
        from: page === 0 ? undefined : input.source,
        offset: page * bounds.reactionsPageSize,
        count: bounds.reactionsPageSize,
        includeReplies: false,
        ask: async (at, options) => {
          const asked = await deps.network.reactions(about.post, at, options)
          return { page: asked, rows: reactionRows(await withoutBlocked(deps, about.teamId, asked.items)), replies: [] }
        },
      })
      return {
        name: 'reactions',
        rows: found.rows,
        rest: { postUrn: about.post.urn, page, source: found.source, total: found.total, hasMore: found.hasMore },
      }
    }),
  fetchPostComments: commentsJob(deps, 'post_comments'),
  fetchCompanyPostComments: commentsJob(deps, 'post_company_comments'),
})
