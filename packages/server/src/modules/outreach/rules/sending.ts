/** What outreach decides without asking anybody: which campaigns take leads, who is meant, what is sent along, and when to try again. */
import { askedWait } from '../../../platform/rules/asked-wait.ts'

/** A campaign as the judgement sees it. */
type JudgedCampaign = { readonly status: string; readonly accountIds: readonly number[] }

const takes: readonly string[] = ['IN_PROGRESS', 'PAUSED', 'SCHEDULED', 'STARTING']

/**
 * Why a campaign takes no leads, or null. A finished one would start again if it were given any, so it is never asked; a draft
 * is refused by the platform.
 */
export function refusalOf(campaign: JudgedCampaign): 'campaign_closed' | 'no_senders' | null {
  if (!takes.includes(campaign.status)) return 'campaign_closed'
  return campaign.accountIds.length === 0 ? 'no_senders' : null
}

/** How a person is known in the ledger; at least one is given. */
export type PersonKeys = { readonly personUrn: string | null; readonly handle: string | null }

/** Splits rows into those of people seen for the first time, in order, and the rest: they name somebody again. */
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

/** Cuts a list into pieces of at most `size`, in order. */
export function inPieces<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

/** What is known about a lead beyond the person. */
type LeadContext = {
  readonly icpPercent: number | null
  readonly signal: string | null
  readonly postUrl: string | null
  readonly commentText: string | null
  readonly sourceName: string | null
}

/** The fields, as text; what is not known is left out rather than sent empty (OUT-11). */
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

/** The counts of a send that has sent nothing yet (G106). */
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

/** Adds some counts to others. */
export function plus(counts: SendCounts, more: Partial<SendCounts>): SendCounts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count + (more[name as keyof SendCounts] ?? 0)]),
  ) as SendCounts
}

/** Counts of one batch that the platform has answered; who failed is not told, so all are noted as sent unless nobody was taken. */
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

/** People whose answer was lost are looked up so long after: the platform shows who was added within minutes. */
export const settleMs = 10 * minuteMs

/** Somebody else is sending that person, or may have: looked at again when that is known. */
export const afterSettleMs = settleMs + 5 * minuteMs

/** No look at a lost answer takes longer, in system time: a campaign of 10,000 people is a hundred pages. */
export const longestLookMs = 5 * minuteMs

/** Looks at a lost answer before it is left open for good: those people are then never sent again by us. */
const maxChecks = 10

/** How long an auto-push waits after `failures` failures in a row, longer when the platform asks for it, up to a day. */
export function pauseAfter(failures: number, askedMs: number | undefined): number {
  const waitMs = Math.min(longestMs, minuteMs * 2 ** Math.min(failures - 1, 12))
  return askedWait(waitMs, askedMs, longestAskedMs)
}

/** How long until the next look after `checks` that failed; null after the last. */
export function nextCheckAfter(checks: number): number | null {
  return checks >= maxChecks ? null : Math.min(longestMs, settleMs * 2 ** Math.min(checks - 1, 8))
}
