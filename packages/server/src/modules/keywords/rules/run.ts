/**
 * A run of a keyword search: its bounds, fixed when it starts (KEY-60); its next step, terms taking turns of one vendor page each
 * (KRN-02, KRN-03); how long it waits for the AI (AIF-10; G166, G171).
 */
import { pickSettings, settingsCopiedToRun, type SourceSettings } from '@les/contract'
import type { PageAt } from '../../../providers/ports.ts'
import { postsPerCall, type AiFailure } from '../../../providers/ai/port.ts'
import { retryAt } from '../../capture/rules/next-step.ts'
import type { Run, RunSettings, SearchCursor, TermCursor } from '../../sources/index.ts'
import type { SearchSettings } from './settings.ts'

/** Most posts that one run judges, over all its terms (KRN-03). */
export const scanLimit = 2_000

export type SearchCriteria = Pick<
  SearchSettings,
  'terms' | 'expression' | 'datePosted' | 'contentType' | 'filters' | 'ai'
>

export type SearchRunSettings = RunSettings &
  Required<Pick<RunSettings, 'keyword'>> & { readonly search: SearchCriteria }

/** The settings of a run of this search, from its present settings. */
export function searchRunSettings(source: SourceSettings, search: SearchSettings): SearchRunSettings {
  const { terms, expression, datePosted, contentType, filters, ai } = search
  const { creditCap, captureEngagers, capturePostAuthors, captureMode, maxEngagementsPerPost } = search
  return {
    mode: source.mode,
    maxPosts: source.mode === 'posts_only' ? (source.postsPerSync ?? creditCap) : scanLimit,
    sinceDays: null,
    rowCap: null,
    ...pickSettings(source, settingsCopiedToRun),
    keyword: { creditCap, captureEngagers, capturePostAuthors, captureMode, maxEngagementsPerPost },
    search: { terms, expression, datePosted, contentType, filters, ai },
  }
}

/** One vendor page of a term, one question to the AI, or the end; `stop` when posts were left to find. */
export type FindStep =
  | { readonly kind: 'page'; readonly term: number; readonly at: PageAt | null }
  | { readonly kind: 'judge' }
  | { readonly kind: 'over'; readonly stop: 'post_limit' | 'credits' | null }

/** `waiting`: posts that wait for the AI; `wanted`: what a posts-only run may still store and spend. */
export type Finding = {
  readonly cursor: SearchCursor
  readonly postsScanned: number
  readonly waiting: number
  readonly wanted: { readonly posts: number; readonly credits: number } | null
}

/** The cursor of a new search. */
export const firstCursor = (terms: number): SearchCursor => ({
  phase: 'search',
  terms: Array.from({ length: terms }, () => ({ at: null, done: false, pages: 0, emptyPages: 0 })),
  turn: 0,
})

/** True before the first page. */
export const isUnread = (cursor: SearchCursor): boolean => cursor.terms.every((term) => term.pages === 0)

/** Decides the next step. A full question goes to the AI at once, a small one when nothing is left to find. */
export function nextFind({ cursor, postsScanned, waiting, wanted }: Finding): FindStep {
  const hasUnreadTerms = cursor.terms.some((term) => !term.done)
  const isEnough = wanted !== null && (wanted.posts <= 0 || wanted.credits <= 0)
  if (isEnough)
    return {
      kind: 'over',
      stop: !hasUnreadTerms && waiting === 0 ? null : wanted.credits <= 0 ? 'credits' : 'post_limit',
    }
  if (waiting >= postsPerCall) return { kind: 'judge' }
  if (hasUnreadTerms && postsScanned < scanLimit) {
    const count = cursor.terms.length
    const term = Array.from({ length: count }, (_, step) => (cursor.turn + step) % count).find(
      (each) => !cursor.terms[each]!.done,
    )!
    return { kind: 'page', term, at: cursor.terms[term]!.at }
  }
  return waiting > 0 ? { kind: 'judge' } : { kind: 'over', stop: hasUnreadTerms ? 'post_limit' : null }
}

/** Pages in a row without a new post after which a term ends: its vendor repeats itself, or other terms have found the same. */
const maxPagesWithoutNew = 10
/** Most pages of one term; no vendor's page is smaller than ten posts. */
const maxPages = scanLimit / 10

/** `fresh`: posts new to the run; `cut`: posts were left for want of room. */
type ReadPage = {
  readonly next: PageAt | null
  readonly fresh: number
  readonly cut: boolean
  readonly leftForPrice?: boolean
}

/** The cursor after a page of a term; the next term has its turn. A vendor that returns the same place has nothing more. */
export function afterPage(cursor: SearchCursor, index: number, page: ReadPage): SearchCursor {
  const before = cursor.terms[index]!
  const pages = before.pages + 1
  const emptyPages = page.fresh === 0 ? before.emptyPages + 1 : 0
  const circles = JSON.stringify(page.next) === JSON.stringify(before.at)
  const done = !page.cut && (page.next === null || circles || emptyPages >= maxPagesWithoutNew || pages >= maxPages)
  const after: TermCursor = {
    at: page.cut || done ? before.at : page.next,
    done,
    pages,
    emptyPages,
    ...(page.leftForPrice ? { leftForPrice: true } : {}),
  }
  return {
    ...cursor,
    terms: cursor.terms.map((term, each) => (each === index ? after : term)),
    turn: (index + 1) % cursor.terms.length,
  }
}

const hourMs = 3_600_000
/** Service time from the start of the run: for a vendor that is away or unreadable, and for the daily cap on AI costs. */
const maxWaitMs = { vendor: 6 * hourMs, cap: 24 * hourMs } as const
const maxUnreadable = 2

type Failed = Pick<AiFailure, 'kind' | 'held' | 'retryAfterMs'>

/**
 * When to retry a failed question, at the latest when the wait ends; null ends the run: key or model refused, tries or time over.
 */
export function aiDueAt(
  run: Pick<Run, 'attempts' | 'startedAt' | 'cursor'>,
  { kind, held, retryAfterMs }: Failed,
  now: Date,
): Date | null {
  const unreadable = run.cursor.phase === 'search' ? (run.cursor.unreadable ?? 0) : 0
  if (kind === 'key' || kind === 'model' || (kind === 'unreadable' && unreadable >= maxUnreadable)) return null
  const began = (run.startedAt ?? now).getTime()
  const endMs = began + (held?.reason === 'cap' ? maxWaitMs.cap : maxWaitMs.vendor)
  if (now.getTime() >= endMs) return null
  const dueAt = held?.until ?? retryAt(kind === 'unreadable' ? unreadable : run.attempts, now, retryAfterMs)
  return dueAt && new Date(Math.min(dueAt.getTime(), endMs))
}
