/**
 * Removes repetitions: the platform reports one reply up to three ways (`MESSAGE_REPLY…`, `EVERY_MESSAGE_REPLY…`, the campaign's
 * list), at different times, some without campaign. One result counts per person, outcome and campaign; no campaign matches any.
 */
import type { Outcome } from '@les/contract'

/** A result as the platform reported it. */
export type ReportedResult = {
  readonly personUrn: string | null
  readonly handle: string | null
  readonly outcome: Outcome
  readonly campaignId: string | null
}

const keysOf = ({ outcome, personUrn, handle }: ReportedResult): string[] => [
  ...(personUrn === null ? [] : [`${outcome} urn ${personUrn}`]),
  ...(handle === null ? [] : [`${outcome} handle ${handle}`]),
]

/** The results that repeat neither a known one nor an earlier one in the list. */
export function withoutRepeats<T extends ReportedResult>(
  reported: readonly T[],
  known: readonly ReportedResult[],
): T[] {
  const fresh: T[] = []
  // Campaigns by key: a page of a campaign may be compared with a thousand known results.
  const seen = new Map<string, Set<string | null>>()
  const note = (one: ReportedResult) => {
    for (const key of keysOf(one)) seen.set(key, (seen.get(key) ?? new Set()).add(one.campaignId))
  }
  const isKnown = (campaigns: ReadonlySet<string | null> | undefined, { campaignId }: ReportedResult): boolean =>
    campaigns !== undefined && (campaignId === null || campaigns.has(null) || campaigns.has(campaignId))
  for (const one of known) note(one)
  for (const one of reported) {
    if (keysOf(one).some((key) => isKnown(seen.get(key), one))) continue
    note(one)
    fresh.push(one)
  }
  return fresh
}
