/** Writing what the search of a run has found, and what the AI says of it: one unit of work, all or nothing. */
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { sha256 } from '../../platform/secrets.ts'
import { defaultModels, type AiVerdict } from '../../providers/ai/port.ts'
import type { Post, SearchPage } from '../../providers/ports.ts'
import { addPosts, closeStopped, resumeEnrichment, storeWatched, type Locked } from '../capture/index.ts'
import { rememberPosts } from '../network/index.ts'
import { saveCheckpoint, type Run, type RunProgress, type SearchCursor } from '../sources/index.ts'
import { listSeen, saveJudgedPosts, saveVerdicts, type JudgedPost } from './post-store.ts'
import { parseExpression, type Expression } from './rules/expression.ts'
import { judgePost, type PostVerdict, type PostFilter } from './rules/judge-post.ts'
import { afterPage, isUnread } from './rules/next-find.ts'
import { scanLimit, type SearchRunSettings, type SearchCriteria } from './rules/run-settings.ts'
import { unjudged } from './rules/targeting.ts'

/** The settings of a run that searches. */
export const settingsOf = (run: Run): SearchRunSettings => run.settings as SearchRunSettings

/** Where the search of a run stands. */
export function cursorOf(run: Run): SearchCursor {
  if (run.cursor.phase !== 'search') throw new Error(`run ${run.id} does not search`)
  return run.cursor
}

/** Names an AI filter: a changed one judges every post anew, an unchanged one none again; the default model is one name, said or not. */
export const filterName = ({ ai }: SearchCriteria): string | null =>
  ai === null
    ? null
    : sha256(
        JSON.stringify([ai.provider, ai.model === defaultModels[ai.provider] ? null : ai.model, ai.prompt]),
      ).toString('hex')

function expressionOf({ expression }: SearchCriteria): Expression | null {
  if (expression === null) return null
  const parsed = parseExpression(expression)
  if (!parsed.ok) throw new Error(`a stored expression does not parse: ${parsed.message}`)
  return parsed.expression
}

const toJudgedPost = ({
  post,
  position,
  verdict,
  filter,
}: {
  readonly post: Post
  readonly position: number
  readonly verdict: PostVerdict
  readonly filter: string | null
}): JudgedPost => {
  const of = { urn: post.urn, position }
  if (verdict.kind === 'kept') return { ...of, outcome: 'kept', reason: null, filter: null }
  if (verdict.kind === 'discarded') return { ...of, outcome: 'discarded', reason: verdict.reason, filter: null }
  return verdict.kind === 'known'
    ? { ...of, outcome: verdict.outcome, reason: verdict.reason, filter }
    : { ...of, outcome: null, reason: null, filter: null }
}

/** The posts of a page that this run has not judged before (`fresh`), and those of them that it may still judge, judged. */
async function judgePage(tx: Tx, run: Run, page: SearchPage) {
  const { search } = settingsOf(run)
  const once = [...new Map(page.items.map((post) => [post.urn, post])).values()]
  const seen = await listSeen(
    tx.db,
    run,
    once.map((post) => post.urn),
  )
  const fresh = once.filter((post) => seen.get(post.urn)?.syncId !== run.id)
  const scanned = fresh.slice(0, scanLimit - run.postsScanned)
  const postFilter: PostFilter = {
    expression: expressionOf(search),
    filters: search.filters,
    unapplied: page.unapplied,
    filter: filterName(search),
  }
  const judged = scanned.map((post) => ({ post, verdict: judgePost(post, postFilter, seen.get(post.urn)) }))
  return { fresh, scanned, judged, filter: postFilter.filter }
}

/** Writes a page of found posts: each is judged once a run, however many terms find it; those kept are to be worked on. */
export async function writeFoundPosts(
  tx: Tx,
  {
    locked,
    term,
    page,
    faultPoint,
  }: { readonly locked: Locked; readonly term: number; readonly page: SearchPage; readonly faultPoint: FaultPointHook },
): Promise<void> {
  const { run } = locked
  const cursor = cursorOf(run)
  if (isUnread(cursor)) await resumeEnrichment(tx, locked)
  const { fresh, scanned, judged, filter } = await judgePage(tx, run, page)
  await rememberPosts(tx, run.teamId, scanned)
  await saveJudgedPosts(
    tx,
    run,
    judged.map((each, index) => toJudgedPost({ ...each, position: run.postsScanned + index, filter })),
  )
  await faultPoint('keyword.posts-written')
  const kept = judged.flatMap(({ post, verdict }) => (isKept(verdict) ? [post] : []))
  await keep(tx, locked, {
    kept,
    cursor: afterPage(cursor, term, {
      next: page.next && { from: page.source, cursor: page.next },
      leftForPrice: page.leftForPrice === true,
      fresh: fresh.length,
      cut: scanned.length < fresh.length,
    }),
    postsScanned: run.postsScanned + scanned.length,
    discardedByExpression:
      run.discardedByExpression +
      judged.filter(({ verdict }) => verdict.kind === 'discarded' && verdict.by === 'expression').length,
    priceLimited: run.priceLimited || page.leftForPrice === true,
    unapplied: [...new Set([...run.unapplied, ...unjudged(page.unapplied)])],
  })
  await faultPoint('keyword.before-commit')
}

const isKept = (verdict: PostVerdict): boolean =>
  verdict.kind === 'kept' || (verdict.kind === 'known' && verdict.outcome === 'kept')

const reasonOf = ({ keep, unread, reason }: AiVerdict): string | null =>
  keep
    ? null
    : unread
      ? `${reason} It is asked again at the next run that finds it.`
      : reason || 'The AI filter does not keep it'

/** Writes what the AI says of posts that waited for it. */
export async function writeVerdicts(
  tx: Tx,
  {
    locked,
    posts,
    verdicts,
    faultPoint,
  }: {
    readonly locked: Locked
    readonly posts: readonly Post[]
    readonly verdicts: readonly AiVerdict[]
    readonly faultPoint: FaultPointHook
  },
): Promise<void> {
  const { run } = locked
  const by = new Map(verdicts.map((verdict) => [verdict.id, verdict]))
  const judged = posts.map((post) => ({ post, verdict: by.get(post.urn)! }))
  const filter = filterName(settingsOf(run).search)
  // What could not be read was judged by no filter, so the next run that finds the post asks again.
  const rows = judged.map(({ post, verdict }) => ({
    urn: post.urn,
    outcome: verdict.keep ? ('kept' as const) : ('discarded' as const),
    reason: reasonOf(verdict),
    filter: verdict.unread ? null : filter,
  }))
  await saveVerdicts(tx, run, rows)
  await faultPoint('keyword.verdicts-written')
  await keep(tx, locked, { kept: judged.filter(({ verdict }) => verdict.keep).map(({ post }) => post) })
  await faultPoint('keyword.before-commit')
}

/** Takes kept posts into the run: to be worked on by capture, or, of a posts-only search, stored and charged at once. */
async function keep(
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
