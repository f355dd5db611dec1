/**
 * What of a page is stored and charged: the heart of the bill (specification «Billing rules»; G35, CRD-13..CRD-16, SYN-05, SYN-06).
 *
 * Two counters in one loop: the cap counts lead rows, billing counts new people. Rows that are stored already count for neither.
 * The run stops before the row that would pass the cap or could not be paid, and only if there is such a row.
 */
import type { Engagement } from '../../leads/rules/engagement.ts'

/** What is known before the page is judged. */
export type Facts = {
  /** Engagements of people, in the page's order. */
  readonly engagements: readonly Engagement[]
  /** Those that are stored already, with their reaction. */
  readonly stored: ReadonlyMap<string, string | null>
  /** People charged for this source before. */
  readonly charged: ReadonlySet<string>
  /** Lead rows the run may still store; null = no limit. */
  readonly capLeft: number | null
  /** Credits the team can spend. */
  readonly balance: number
}

/** What is to be done. */
export type Taken = {
  readonly rows: readonly Engagement[]
  /** Stored reactions that have changed. */
  readonly changed: readonly { readonly key: string; readonly reaction: string | null }[]
  /** People to be charged, one credit each. */
  readonly charge: readonly string[]
  /** Set when a further row existed and could not be stored. */
  readonly stop: 'cap' | 'balance' | null
}

/** Judges one page. */
export function take(facts: Facts): Taken {
  const rows: Engagement[] = []
  const changed: { key: string; reaction: string | null }[] = []
  const charge = new Set<string>()
  const seen = new Set<string>()
  for (const engagement of facts.engagements) {
    // A page can repeat a row, and shifting pages do.
    if (seen.has(engagement.key)) continue
    seen.add(engagement.key)
    const before = facts.stored.get(engagement.key)
    if (before !== undefined) {
      if (engagement.reaction !== null && engagement.reaction !== before) changed.push({ key: engagement.key, reaction: engagement.reaction })
      continue
    }
    const stop = whyNot(engagement, rows.length, charge, facts)
    if (stop) return { rows, changed, charge: [...charge], stop }
    rows.push(engagement)
    if (!facts.charged.has(engagement.person.urn)) charge.add(engagement.person.urn)
  }
  return { rows, changed, charge: [...charge], stop: null }
}

function whyNot(engagement: Engagement, rowsTaken: number, charge: ReadonlySet<string>, facts: Facts): 'cap' | 'balance' | null {
  if (facts.capLeft !== null && rowsTaken >= facts.capLeft) return 'cap'
  const isNew = !facts.charged.has(engagement.person.urn) && !charge.has(engagement.person.urn)
  return isNew && charge.size >= facts.balance ? 'balance' : null
}
