import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Vault } from '../../platform/secrets.ts'
import { type WorkDeps, defineWork, leaseOf } from '../../platform/work/index.ts'
import { AiFailure, postsPerCall, type AiJudge } from '../../providers/ai/port.ts'
import { describeFailure, firstVendor, ProviderFailure, type Network, type SearchPage } from '../../providers/ports.ts'
import { readCredential } from '../accounts/index.ts'
import {
  ceilingLeft,
  closeStopped,
  stopOfEmptyAccount,
  endRun,
  leadsLeft,
  lockForPage,
  recordUnexpectedOfRun,
  resumeEnrichment,
  retryAt,
  teamIsServed,
  type Locked,
  type RunStop,
} from '../capture/index.ts'
import { eraseRecognisedAuthors, listPosts, type RecognisingDeps } from '../network/index.ts'
import {
  claimRun,
  findSource,
  lockRun,
  lockSource,
  runRows,
  saveCheckpoint,
  savePostponed,
  startRun,
  type Run,
  type WaitsFor,
} from '../sources/index.ts'
import { cursorOf, settingsOf, writeFoundPosts, writeVerdicts } from './results.ts'
import { aiDueAt, firstCursor, isUnread, nextFind, searchRunSettings, type FindStep } from './rules/run.ts'
import { findSearch, listWaiting } from './store.ts'

type KeywordDeps = WorkDeps &
  RecognisingDeps & {
    readonly network: Network
    readonly judge: AiJudge
    readonly vault: Vault
  }

type Claimed = { readonly run: Run; readonly served: boolean; readonly waiting: readonly string[] }

const claim = (deps: KeywordDeps): Promise<Claimed | undefined> =>
  deps.unitOfWork(async (tx) => {
    const picked = await claimRun(tx, 'keyword', leaseOf(deps.processId, deps.system.nowMs()))
    if (!picked) return undefined
    const run = picked.state === 'queued' ? await start(tx, picked) : picked
    return { run, served: await teamIsServed(tx, run.teamId), waiting: await listWaiting(tx.db, run, postsPerCall) }
  })

async function start(tx: Tx, run: Run): Promise<Run> {
  const source = await findSource(tx.db, run.teamId, { id: run.sourceId })
  const search = await findSearch(tx.db, run.teamId, run.sourceId)
  if (!source || !search) throw new Error(`run ${run.id} has no search`)
  const settings = searchRunSettings(source.settings, search)
  return startRun(tx, { run, settings, cursor: firstCursor(search.terms.length) })
}

/** Writes under the locks of a page; does nothing when the run was ended or taken over meanwhile. */
const underLocks = (deps: KeywordDeps, run: Run, write: (tx: Tx, locked: Locked) => Promise<void>): Promise<void> =>
  deps.unitOfWork(async (tx) => {
    const locked = await lockForPage(tx, run)
    if (locked) await write(tx, locked)
  })

/** Why a run is not worth its first page: nothing that it finds could be paid or stored. */
async function cannotBegin(tx: Tx, { account, run, team }: Locked): Promise<RunStop | null> {
  if (run.settings.mode === 'engagers' && ((await leadsLeft(tx.db, team)) ?? 1) <= 0) return 'lead_cap'
  if ((await ceilingLeft(tx.db, team, tx.now)) <= 0) return 'team_cap'
  return account.balance <= 0 ? stopOfEmptyAccount(account) : null
}

/** Before anything is spent, checks whether a run can get anywhere; ends it when not. */
async function begins(deps: KeywordDeps, run: Run): Promise<boolean> {
  const keyMissing = settingsOf(run).search.ai !== null && (await keyOf(deps, run)) === null
  let canBegin = false
  await underLocks(deps, run, async (tx, locked) => {
    if (keyMissing) return endForAi(tx, locked.run, noKey(run))
    const stop = await cannotBegin(tx, locked)
    canBegin = stop === null
    if (stop === null) return
    // It counts as a sync all the same, and has no first page that would queue the enrichment again.
    await resumeEnrichment(tx, locked)
    await closeStopped(tx, locked.run, stop)
  })
  return canBegin
}

const keyOf = (deps: KeywordDeps, run: Run): Promise<string | null> =>
  readCredential(deps.db, { vault: deps.vault, teamId: run.teamId, kind: settingsOf(run).search.ai!.provider })
const noKey = (run: Run): string =>
  `The search has an AI filter of ${settingsOf(run).search.ai!.provider}, and the team has stored no key for it`
/** The vendor answers or fails before the lease expires; else the failure would never be recorded. */
const withinLease = { timeoutMs: 40_000 } as const

const emptyPage: SearchPage = { items: [], next: null, total: 0, cutShort: false, source: firstVendor, unapplied: [] }

async function readPage(deps: KeywordDeps, run: Run, { term, at }: Extract<FindStep, { kind: 'page' }>): Promise<void> {
  const { terms, datePosted, contentType, filters } = settingsOf(run).search
  const search = { term: terms[term]!, sort: 'RELEVANCE', datePosted, contentType, filters } as const
  // A filter that an erasure has emptied fits nobody; a vendor would not apply it, and find everybody's posts.
  const fitsNobody = Object.values(filters).some((values) => values.length === 0)
  const asked = fitsNobody
    ? Promise.resolve(emptyPage)
    : deps.network.searchPosts(search, at, { ...withinLease, capFallback: true })
  const page = await asked.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'not_found') return emptyPage
    throw error
  })
  await deps.faultPoint('keyword.page-fetched')
  const { faultPoint, blockList } = deps
  await underLocks(deps, run, (tx, locked) => writeFoundPosts(tx, locked, { term, page, faultPoint, blockList }))
  await eraseRecognisedAuthors(deps, run.teamId, page.items)
}

async function askAi(deps: KeywordDeps, { run, waiting }: Claimed): Promise<void> {
  const { ai } = settingsOf(run).search
  const key = ai && (await keyOf(deps, run))
  if (ai === null || key === null) return underLocks(deps, run, (tx, locked) => endForAi(tx, locked.run, noKey(run)))
  const known = await listPosts(deps.db, run.teamId, waiting)
  const posts = waiting.map((urn) => known.get(urn)!)
  const verdicts = await deps.judge.judge({
    vendor: ai.provider,
    model: ai.model,
    key,
    prompt: ai.prompt,
    posts: posts.map(({ urn, text, author: { name, headline } }) => ({
      id: urn,
      text: text ?? '',
      author: name,
      headline,
    })),
    ...withinLease,
  })
  const { faultPoint } = deps
  await faultPoint('keyword.judged')
  await underLocks(deps, run, (tx, locked) => writeVerdicts(tx, locked, { posts, verdicts, faultPoint }))
}

/** Hands a run over to capture; a posts-only run has nothing left to do and ends. */
const finishSearch = (deps: KeywordDeps, run: Run, stop: Extract<FindStep, { kind: 'over' }>['stop']): Promise<void> =>
  underLocks(deps, run, async (tx, locked) => {
    if (run.settings.mode === 'engagers') {
      const limited = stop !== null || cursorOf(run).terms.some((term) => term.leftForPrice)
      const progress = { cursor: { phase: 'engagement', limited }, lane: 'capture' } as const
      await saveCheckpoint(tx, { run: locked.run, progress })
      tx.enqueue('capture', locked.run.teamId)
    } else if (stop) await closeStopped(tx, locked.run, stop)
    else if (locked.run.priceLimited) await closeStopped(tx, locked.run, 'post_limit')
    else await endRun(tx, locked.run, { state: 'captured', stoppedBy: 'exhausted', errorCode: null, errorText: null })
    await deps.faultPoint('keyword.handed-over')
  })

const endForAi = (tx: Tx, run: Run, errorText: string): Promise<void> =>
  endRun(tx, run, { state: 'failed', stoppedBy: 'ai_error', errorCode: 'ai_error', errorText })

function waitsFor(failure: ProviderFailure | AiFailure): WaitsFor | null {
  if (!failure.held) return null
  if (!(failure instanceof AiFailure)) return failure.held.reason
  return failure.held.reason === 'rate' ? 'ai_rate' : 'ai_away'
}

const failOrPostpone = (deps: KeywordDeps, claimed: Run, failure: ProviderFailure | AiFailure): Promise<void> =>
  deps.unitOfWork(async (tx) => {
    const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
    const run = await lockRun(tx, claimed)
    if (!source || !run) return
    const isOfAi = failure instanceof AiFailure
    const dueAt = isOfAi
      ? aiDueAt(run, failure, tx.now)
      : (failure.held?.until ?? retryAt(run.attempts, tx.now, failure.retryAfterMs))
    if (dueAt) {
      const { cursor } = run
      const unreadable = isOfAi && failure.kind === 'unreadable' && cursor.phase === 'search'
      const counted = unreadable ? { cursor: { ...cursor, unreadable: (cursor.unreadable ?? 0) + 1 } } : {}
      await savePostponed(tx, run, { dueAt, waitsFor: waitsFor(failure), ...counted })
    } else if (isOfAi) await endForAi(tx, run, failure.message)
    else {
      const errorText = describeFailure(failure)
      await endRun(tx, run, { state: 'failed', stoppedBy: 'error', errorCode: 'provider_error', errorText })
    }
  })

async function takeStep(deps: KeywordDeps, claimed: Claimed): Promise<void> {
  const { run, waiting } = claimed
  const { mode, maxPosts, keyword } = settingsOf(run)
  const wanted =
    mode === 'posts_only' ? { posts: maxPosts - run.postsFetched, credits: keyword.creditCap - run.creditsSpent } : null
  const { postsScanned } = run
  const step = nextFind({ cursor: cursorOf(run), postsScanned, waiting: waiting.length, wanted })
  try {
    if (step.kind === 'page') await readPage(deps, run, step)
    else if (step.kind === 'judge') await askAi(deps, claimed)
    else await finishSearch(deps, run, step.stop)
    await deps.faultPoint('keyword.after-commit')
  } catch (error) {
    if (!(error instanceof ProviderFailure || error instanceof AiFailure)) throw error
    await failOrPostpone(deps, run, error)
  }
}

/** One step of a keyword run's search; `idle` when no run can be worked on. */
function keywordStep(deps: KeywordDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await claim(deps)
    if (!claimed) return 'idle'
    const { run } = claimed
    await deps.faultPoint('keyword.leased')
    // Taking the locks ends the run of a lapsed team, without a call to any vendor (G129).
    if (!claimed.served) await underLocks(deps, run, async () => {})
    else if (!isUnread(cursorOf(run)) || (await begins(deps, run))) await takeStep(deps, claimed)
    return 'worked'
  }
}

export const keywordWork = defineWork({
  kind: 'keyword',
  rows: [runRows.keyword],
  step: keywordStep,
  unexpected: { run: recordUnexpectedOfRun },
})
