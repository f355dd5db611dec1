/** Writes what a run's search has found, and the AI's verdicts, each in one unit of work. */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { sha256 } from '../../platform/secrets.ts'
import { defaultModels, type AiVerdict } from '../../providers/ai/port.ts'
import type { Post, SearchPage } from '../../providers/ports.ts'
import {
  addPosts,
  closeStopped,
  resumeEnrichment,
  storeWatched,
  type Locked,
  type PageParts,
} from '../capture/index.ts'
import { rememberPosts } from '../network/index.ts'
import { saveCheckpoint, type Run, type RunProgress, type SearchCursor } from '../sources/index.ts'
import { parseExpression } from './rules/expression.ts'
import { expressionJudge, judgePost, neverApplied, type PostFilter } from './rules/judge-post.ts'
import { afterPage, isUnread, scanLimit, type SearchCriteria, type SearchRunSettings } from './rules/run.ts'
import { listSeen, saveJudgedPosts, saveVerdicts } from './store.ts'

export const settingsOf = (run: Run): SearchRunSettings => run.settings as SearchRunSettings

export function cursorOf(run: Run): SearchCursor {
  if (run.cursor.phase !== 'search') throw new Error(`run ${run.id} does not search`)
  return run.cursor
}

/** Names an AI filter: posts are judged again only when it changes. The default model has one name, given or not. */
function filterName({ ai }: SearchCriteria): string | null {
  if (ai === null) return null
  const model = ai.model === defaultModels[ai.provider] ? null : ai.model
  return sha256(JSON.stringify([ai.provider, model, ai.prompt])).toString('hex')
}

function judgeOf({ expression }: SearchCriteria): PostFilter['judge'] {
  if (expression === null) return null
  const parsed = parseExpression(expression)
  if (!parsed.ok) throw new Error(`a stored expression does not parse: ${parsed.message}`)
  return expressionJudge(parsed.expression)
}

/** `fresh`: posts of a page that this run has not judged before; `judged`: the ones among them that it may still judge. */
async function judgePage(tx: Tx, run: Run, page: SearchPage) {
  const { search } = settingsOf(run)
  const once = [...new Map(page.items.map((post) => [post.urn, post])).values()]
  const urns = once.map((post) => post.urn)
  const seen = await listSeen(tx.db, run, urns)
  const fresh = once.filter((post) => seen.get(post.urn)?.syncId !== run.id)
  const { filters } = search
  const postFilter = { judge: judgeOf(search), filters, unapplied: page.unapplied, filter: filterName(search) }
  const judged = fresh
    .slice(0, scanLimit - run.postsScanned)
    .map((post) => ({ post, verdict: judgePost(post, postFilter, seen.get(post.urn)) }))
  return { fresh: fresh.length, judged }
}

/** Writes a page of found posts: each is judged once per run, even when several terms find it; kept ones are to be worked on. */
export async function writeFoundPosts(
  tx: Tx,
  locked: Locked,
  { term, page, faultPoint, blockList }: PageParts & { readonly term: number; readonly page: SearchPage },
): Promise<void> {
  const { run } = locked
  const cursor = cursorOf(run)
  const leftForPrice = page.leftForPrice === true
  if (isUnread(cursor)) await resumeEnrichment(tx, locked)
  const asShown = await judgePage(tx, run, page)
  const { fresh } = asShown
  const shownPosts = asShown.judged.map(({ post }) => post)
  // Judged by their text, but stored without it when their author is blocked.
  const posts = await blockList.withoutAuthors(tx, run.teamId, shownPosts)
  const judged = asShown.judged.map(({ verdict }, at) => ({ post: posts[at]!, verdict }))
  await rememberPosts(tx, run.teamId, posts)
  await saveJudgedPosts(
    tx,
    run,
    judged.map(({ post, verdict: { outcome, reason, filter } }, index) => ({
      urn: post.urn,
      position: run.postsScanned + index,
      outcome,
      reason,
      filter,
    })),
  )
  await faultPoint('keyword.posts-written')
  await takeKept(tx, locked, {
    kept: judged.filter(({ verdict }) => verdict.outcome === 'kept').map(({ post }) => post),
    cursor: afterPage(cursor, term, {
      next: page.next && { from: page.source, cursor: page.next },
      leftForPrice,
      fresh,
      cut: judged.length < fresh,
    }),
    postsScanned: run.postsScanned + judged.length,
    discardedByExpression:
      run.discardedByExpression + judged.filter(({ verdict }) => verdict.by === 'expression').length,
    priceLimited: run.priceLimited || leftForPrice,
    unapplied: [...new Set([...run.unapplied, ...neverApplied(page.unapplied)])],
  })
  await faultPoint('keyword.before-commit')
}

function reasonOf({ keep, unread, reason }: AiVerdict): string | null {
  if (keep) return null
  return unread
    ? `${reason} It is asked again at the next run that finds it.`
    : reason || 'The AI filter does not keep it'
}

/** Writes the AI's verdicts on posts that waited for it. */
export async function writeVerdicts(
  tx: Tx,
  locked: Locked,
  answer: {
    readonly posts: readonly Post[]
    readonly verdicts: readonly AiVerdict[]
    readonly faultPoint: FaultPointHook
  },
): Promise<void> {
  const { posts, verdicts, faultPoint } = answer
  const { run } = locked
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.id, verdict]))
  const filter = filterName(settingsOf(run).search)
  const rows = posts.map(({ urn }) => {
    const verdict = verdictOf.get(urn)!
    return {
      urn,
      outcome: verdict.keep ? ('kept' as const) : ('discarded' as const),
      reason: reasonOf(verdict),
      // An unreadable verdict belongs to no filter, so the next run that finds the post asks again.
      filter: verdict.unread ? null : filter,
    }
  })
  await saveVerdicts(tx, run, rows)
  await faultPoint('keyword.verdicts-written')
  await takeKept(tx, locked, { kept: posts.filter(({ urn }) => verdictOf.get(urn)!.keep) })
  await faultPoint('keyword.before-commit')
}

/** Takes kept posts into the run: for capture to work on, or, in a posts-only search, stored and charged at once. */
async function takeKept(
  tx: Tx,
  locked: Locked,
  { kept, ...found }: RunProgress & { readonly kept: readonly Post[] },
): Promise<void> {
  const { run } = locked
  const postsKept = run.postsKept + kept.length
  if (run.settings.mode === 'posts_only') {
    const { progress, stop } = await storeWatched(tx, locked, kept)
    const all = { ...found, ...progress, postsKept }
    await saveCheckpoint(tx, { run, progress: all })
    if (stop) await closeStopped(tx, { ...run, ...all }, stop)
    return
  }
  await saveCheckpoint(tx, { run, progress: { ...found, ...(await addPosts(tx, { run, posts: kept })), postsKept } })
}
