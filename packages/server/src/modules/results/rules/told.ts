/**
 * What the outreach platform tells twice. A reply arrives by up to three ways (`MESSAGE_REPLY…`, `EVERY_MESSAGE_REPLY…`, and the list of
 * a campaign), each with an instant of its own, and some without the campaign. So of each person and outcome one result a campaign
 * counts, and one that names no campaign is taken for any.
 */
import type { Outcome } from '@les/contract'

/** Something that was told of somebody. */
export type Told = {
  readonly personUrn: string | null
  readonly handle: string | null
  readonly outcome: Outcome
  readonly campaignId: string | null
}

/** Outcome and name: two of the same key are one person's of one outcome. */
const keysOf = ({ outcome, personUrn, handle }: Told): string[] => [
  ...(personUrn === null ? [] : [`${outcome} urn ${personUrn}`]),
  ...(handle === null ? [] : [`${outcome} handle ${handle}`]),
]

/** Those that repeat nothing that is known, and nothing before them in the list. */
export function withoutRepeats<T extends Told>(told: readonly T[], known: readonly Told[]): T[] {
  const fresh: T[] = []
  // The campaigns by key, for a page of a campaign may meet a thousand results.
  const seen = new Map<string, Set<string | null>>()
  const note = (one: Told) => {
    for (const key of keysOf(one)) seen.set(key, (seen.get(key) ?? new Set()).add(one.campaignId))
  }
  const isKnown = (campaigns: ReadonlySet<string | null> | undefined, { campaignId }: Told): boolean =>
    campaigns !== undefined && (campaignId === null || campaigns.has(null) || campaigns.has(campaignId))
  for (const one of known) note(one)
  for (const one of told) {
    if (keysOf(one).some((key) => isKnown(seen.get(key), one))) continue
    note(one)
    fresh.push(one)
  }
  return fresh
}
