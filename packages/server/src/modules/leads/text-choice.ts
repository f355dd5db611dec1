/** What the substrings of a list choose before its page or its total is read: by the texts that leads share, not row by row. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { conditions, narrowing, scopeOf, type LeadFilter } from './filter.ts'
import { leadsWithText, textFiltersOf } from './texts.ts'

/** Matches counted at most (G37). */
export const countLimit = 10_000

/** All leads of a list, newest first; or `many`: its one filter is a substring that is in more than 10,000. */
export type Chosen = { readonly ids: readonly string[] } | 'many'

/** A list of leads: what it is filtered by and, once its substrings were looked up, what they chose. */
export type LeadList = { readonly teamId: string; readonly filter: LeadFilter; readonly chosen: Chosen | null }

/**
 * Chooses leads of the whole team by their texts; null when no substring is asked for, or when another way is shorter: one source's
 * leads, filters that are all frequent.
 */
export async function chooseByText(db: Reader, teamId: string, filter: LeadFilter): Promise<Chosen | null> {
  if (filter.ownerId !== null) return null
  const texts = textFiltersOf(filter)
  const isOnlyFilter = texts.length === 1 && narrowing(filter).length === 0
  for (const text of texts) {
    const scope = scopeOf(teamId, filter)
    const ids = await leadsWithText(db, { teamId, scope, filter: text, most: countLimit })
    if (isOnlyFilter) return ids ? { ids } : 'many'
    if (!ids) continue
    const { rows } = await sql<{ id: string }>`
      select l.id from lead l where ${conditions(teamId, filter)} and l.id = any(${ids}::uuid[])
      order by l.created_at desc, l.id desc`.execute(db)
    return { ids: rows.map((row) => row.id) }
  }
  return null
}

/** The ids that substrings have chosen; null when the list is to be read by its conditions. */
export const chosenIds = ({ chosen }: LeadList): readonly string[] | null =>
  chosen === null || chosen === 'many' ? null : chosen.ids

/** The leads of a list as a condition on `lead l`: those that its substrings have chosen are few, else what it is filtered by. */
export const listedLeads = (list: LeadList): RawBuilder<unknown> => {
  const ids = chosenIds(list)
  return ids
    ? sql`l.team_id = ${list.teamId} and l.enrichment <> 'raw' and l.id = any(${ids}::uuid[])`
    : conditions(list.teamId, list.filter)
}
