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

const isSamePerson = (a: Told, b: Told): boolean =>
  (a.personUrn !== null && a.personUrn === b.personUrn) || (a.handle !== null && a.handle === b.handle)

/** True of what repeats something that is known. */
const repeats = (one: Told, known: Told): boolean =>
  one.outcome === known.outcome &&
  isSamePerson(one, known) &&
  (one.campaignId === null || known.campaignId === null || one.campaignId === known.campaignId)

/** Those that repeat nothing that is known, and nothing before them in the list. */
export function withoutRepeats<T extends Told>(told: readonly T[], known: readonly Told[]): T[] {
  const fresh: T[] = []
  // By outcome and name, for a page of a campaign may meet a thousand results.
  const seen = new Map<string, Told[]>()
  const keysOf = (one: Told) =>
    [
      one.personUrn && `${one.outcome} urn ${one.personUrn}`,
      one.handle && `${one.outcome} handle ${one.handle}`,
    ].filter((key) => key !== null)
  const note = (one: Told) => {
    for (const key of keysOf(one)) seen.set(key, [...(seen.get(key) ?? []), one])
  }
  for (const one of known) note(one)
  for (const one of told) {
    if (keysOf(one).some((key) => seen.get(key)?.some((before) => repeats(one, before)))) continue
    note(one)
    fresh.push(one)
  }
  return fresh
}
