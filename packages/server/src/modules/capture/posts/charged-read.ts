/**
 * The charged read of the posts of any handle. A GET that charges:
 *
 *   400 (fields) --> 409 without confirmation --> 402 when the balance is below what is asked --> credits held
 *     --> fetched outside any transaction --> settled in one unit: a credit for each post returned, the rest released,
 *         the answer stored for its Idempotency-Key (G143)
 *
 * A read that fails releases its hold, also at the last step: a caller that retries at once must not get a 402. When the process
 * dies, the hold expires, which costs nothing.
 */
import type { WorkDeps } from '../../../platform/work/index.ts'
import { bounds, type Answer, type OperationOf } from '@les/contract'
import type { Handlers, Settled, WriteContext } from '../../accounts/index.ts'
import { Refusal, refusal, refuse } from '../../../platform/refusal.ts'
import { ProviderFailure, type Network, type PageAt, type Post, type PostsOf } from '../../../providers/ports.ts'
import { eraseRecognisedAuthors, type RecognisingDeps } from '../../network/index.ts'
import { holdCredits, mustConfirm, quote, readBalance, releaseHold, settleHold } from '../../credits/index.ts'
import { authorNamed } from '../../sources/index.ts'
import { presentNetworkPost } from './present.ts'
import { timeLeft } from './window.ts'

export type ChargedReadDeps = Pick<WorkDeps, 'system' | 'faultPoint'> & RecognisingDeps & { readonly network: Network }

type PostsAnswer = Answer<OperationOf<'readProfilePosts'>>

const longestMs = 40_000
const maxPages = 12

const tooFew = (asked: number, balance: number): Refusal =>
  refusal(
    'insufficient_enriching_credits',
    { estimatedCredits: asked, remainingBalance: balance },
    `Not enough enriching credits: this read asks for ${asked} and the balance is ${balance}`,
  )

async function fetchPosts({ network, system }: ChargedReadDeps, of: PostsOf, count: number): Promise<Post[]> {
  const endMs = system.nowMs() + longestMs
  const found = new Map<string, Post>()
  let at: PageAt | null = null
  for (let asked = 0; asked < maxPages && found.size < count; asked += 1) {
    const page = await network.posts(of, at, timeLeft(endMs - system.nowMs(), { operation: 'posts', longestMs }))
    for (const post of page.items) if (!found.has(post.urn)) found.set(post.urn, post)
    if (page.next === null) break
    at = { from: page.source, cursor: page.next }
  }
  // Vendors show pinned posts first; undated posts come last.
  const time = (post: Post) => (post.postedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(post.postedAt))
  return [...found.values()].sort((a, b) => time(b) - time(a)).slice(0, count)
}

async function fetchOrRelease(
  deps: ChargedReadDeps,
  { hold, of, count }: { hold: { teamId: string; id: string }; of: PostsOf; count: number },
): Promise<Post[]> {
  try {
    return await fetchPosts(deps, of, count)
  } catch (error) {
    await deps.unitOfWork((tx) => releaseHold(tx, hold.teamId, hold.id))
    if (!(error instanceof ProviderFailure) || error.kind !== 'not_found') throw error
    return of.kind === 'person'
      ? refuse('profile_not_found', {}, `The network has no profile with the handle ${of.handle}`)
      : refuse('company_not_found', {}, `The network has no company page with the slug ${of.slug}`)
  }
}

async function readPosts(
  deps: ChargedReadDeps,
  { of, input }: { of: PostsOf; input: { posts: number; confirmSpend?: boolean | undefined } },
  { caller, db, now, unitOfWork }: WriteContext<PostsAnswer>,
): Promise<Settled<PostsAnswer>> {
  const { teamId } = caller
  if (mustConfirm({ raises: true, confirmSpend: input.confirmSpend })) {
    const { balance } = await readBalance(db, teamId, now)
    return refuse(
      'spend_confirmation_required',
      quote({ per: 'call', credits: input.posts }, balance),
      `This read costs up to ${input.posts} ${input.posts === 1 ? 'credit' : 'credits'}: send confirmSpend=true to go ahead`,
    )
  }
  if (of.kind === 'person') {
    const author = { urn: of.urn, handle: of.handle }
    if ((await deps.blockList.findBlocked(db, teamId, [author])).has(author))
      refuse('profile_not_found', {}, 'The team has had this person erased: nothing of them is read')
  }
  const hold = await deps.unitOfWork((tx) => holdCredits(tx, teamId, input.posts))
  if (!hold.held) throw tooFew(input.posts, hold.balance)
  const posts = await fetchOrRelease(deps, { hold: { teamId, id: hold.id }, of, count: input.posts })
  await deps.faultPoint('posts-read.fetched')
  // Keyed by the hold: a caller may choose the request id, and must not read for free by repeating one.
  const charges = posts.map(
    (post) =>
      ({ key: `read:${hold.id}:post:${post.urn}`, category: 'posts_read', sourceId: null, syncId: null }) as const,
  )
  try {
    // Before the settling: nothing may fail between the charge and the answer.
    await eraseRecognisedAuthors(deps, teamId, posts)
    return await unitOfWork(async (tx) => {
      if ((await settleHold(tx, { teamId, id: hold.id, charges })) === 'insufficient')
        return tooFew(posts.length, (await readBalance(tx.db, teamId, tx.now)).balance)
      return {
        posts: (await deps.blockList.withoutAuthors(tx, teamId, posts)).map(presentNetworkPost),
        creditsCharged: posts.length,
        captured: false,
        maxDepth: bounds.untrackedPosts.max,
      }
    })
  } catch (error) {
    // Undone by an equal request that answered first, or by our own trouble. Releasing a hold that was settled after all does
    // nothing.
    const release = deps.unitOfWork((tx) => releaseHold(tx, teamId, hold.id))
    // When the database has failed, the hold expires by itself, and the caller sees the failure itself.
    await (error instanceof Refusal ? release : release.catch(() => {}))
    throw error
  }
}

export const chargedReadOperations = (deps: ChargedReadDeps): Handlers<'readProfilePosts' | 'readCompanyPosts'> => ({
  readProfilePosts: (input, context) =>
    readPosts(deps, { of: authorNamed('person', input.username, null), input }, context),
  readCompanyPosts: (input, context) =>
    readPosts(deps, { of: authorNamed('company', input.username, null), input }, context),
})
