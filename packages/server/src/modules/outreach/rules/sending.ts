/** The rules of outreach: which campaigns take leads, who is the same person, what is sent with a lead, when to retry. */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

type JudgedCampaign = { readonly status: string; readonly accountIds: readonly number[] }

const takes: readonly string[] = ['IN_PROGRESS', 'PAUSED', 'SCHEDULED', 'STARTING']

/** Why a campaign takes no leads, or null. Adding to a finished campaign would restart it; drafts refuse. */
export function refusalOf(campaign: JudgedCampaign): 'campaign_closed' | 'no_senders' | null {
  if (!takes.includes(campaign.status)) return 'campaign_closed'
  return campaign.accountIds.length === 0 ? 'no_senders' : null
}

/** How the ledger identifies a person; at least one is set. */
export type PersonKeys = { readonly personUrn: string | null; readonly handle: string | null }

/** Splits rows into the first per person (`once`) and the repetitions (`again`). */
export function oncePerPerson<R extends PersonKeys>(
  rows: readonly R[],
): { readonly once: readonly R[]; readonly again: readonly R[] } {
  const seen = new Set<unknown>()
  const [once, again]: [R[], R[]] = [[], []]
  for (const row of rows) {
    const keys = [row.personUrn && `urn ${row.personUrn}`, row.handle && `handle ${row.handle}`].filter(Boolean)
    const known = keys.some((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    ;(known ? again : once).push(row)
  }
  return { once, again }
}

/** Splits a list into pieces of at most `size`. */
export function inPieces<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

type LeadContext = {
  readonly icpPercent: number | null
  readonly signal: string | null
  readonly postUrl: string | null
  readonly commentText: string | null
  readonly sourceName: string | null
}

/** Custom fields as text; unknown ones are left out instead of sent empty (OUT-11). */
export function customFieldsOf(context: LeadContext): Record<string, string> {
  const fields = {
    icp_percent: context.icpPercent === null ? null : String(context.icpPercent),
    signal: context.signal,
    engaged_post_url: context.postUrl,
    comment_text: context.commentText,
    source_name: context.sourceName,
  }
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== null && field[1].trim() !== ''),
  )
}

/** The counts before anything is sent (G106). */
export const noCounts = {
  sent: 0,
  added: 0,
  updated: 0,
  failed: 0,
  skippedNoLinkedin: 0,
  alreadyInCampaign: 0,
  uncertain: 0,
  skippedExcluded: 0,
  notFound: 0,
  recorded: 0,
}
export type SendCounts = Readonly<typeof noCounts>

/** Adds counts. */
export function plus(counts: SendCounts, more: Partial<SendCounts>): SendCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count + (more[name as keyof SendCounts] ?? 0)]),
  ) as SendCounts
}

/** The counts of an answered batch. The platform does not say who failed, so all are recorded as sent unless it took nobody. */
export function ofAnswer(answer: {
  readonly added: number
  readonly updated: number
  readonly failed: number
}): Partial<SendCounts> {
  const { added, updated, failed } = answer
  const sent = added + updated + failed
  return { sent, added, updated, failed, recorded: added + updated === 0 ? 0 : sent }
}

const minuteMs = 60_000
const longestMs = 6 * 60 * minuteMs
const longestAskedMs = 24 * 60 * minuteMs

/** When people of a lost answer are looked up: the platform shows them within minutes. */
export const settleMs = 10 * minuteMs

/** When to try a person again whose other send is not settled. */
export const afterSettleMs = settleMs + 5 * minuteMs

/** The longest lookup, in system time: a campaign of 10,000 people has 100 pages. */
export const longestLookMs = 5 * minuteMs

/** Lookups before a batch stays uncertain for good, and its people are never sent again. */
const maxChecks = 10

/** The wait after `failures` failures in a row, or what the platform asks, up to a day. */
export function pauseAfter(failures: number, askedMs: number | undefined): number {
  const waitMs = Math.min(longestMs, minuteMs * 2 ** Math.min(failures - 1, 12))
  return askedWait(waitMs, askedMs, longestAskedMs)
}

/** The wait after `checks` failed lookups; null after the last. */
export function nextCheckAfter(checks: number): number | null {
  return checks >= maxChecks ? null : Math.min(longestMs, settleMs * 2 ** Math.min(checks - 1, 8))
}
