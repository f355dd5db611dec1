/** What the substrings of a list choose before its page or its total is read: by the texts that leads share, not row by row. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ListWithText } from './deep-texts.ts'
import { conditions, narrowing, scopeOf, type LeadFilter } from './filter.ts'
import { leadsWithText, newestWithText, textFiltersOf, type TextFilter, type TextReach } from './texts.ts'

/** Matches counted at most (G37). */
export const countLimit = 10_000

/**
 * What substrings say about a list of the whole team: all its leads, newest first, or a substring that is in more than
 * 10,000 and is the only filter.
 */
export type Chosen = { readonly ids: string[] } | { readonly frequent: TextFilter; readonly reach: TextReach }

/**
 * Chooses leads by their texts; null when no substring is asked for, or when another way is shorter: one source's
 * leads, filters that are all frequent.
 */
export async function chooseByText(db: Reader, teamId: string, filter: LeadFilter): Promise<Chosen | null> {
  const texts = textFiltersOf(filter)
  if (filter.ownerId !== null) return null
  const isSingle = texts.length === 1 && narrowing(filter).length === 0
  for (const text of texts) {
    const { ids, reach } = await leadsWithText(db, {
      teamId,
      scope: scopeOf(teamId, filter),
      filter: text,
      most: countLimit,
    })
    if (!ids) {
      if (isSingle) return { frequent: text, reach }
      continue
    }
    if (isSingle) return { ids }
    const { rows } = await sql<{
      id: string
    }>`select l.id from lead l where ${conditions(teamId, filter)} and l.id = any(${ids})
      order by l.created_at desc, l.id desc`.execute(db)
    return { ids: rows.map((row) => row.id) }
  }
  return null
}

/** A list of leads: what it is filtered by and, once its substrings were looked up, what they chose. */
export type LeadList = { readonly teamId: string; readonly filter: LeadFilter; readonly chosen: Chosen | null }

/** The leads of a list as a condition on `lead l`: those that its substrings have chosen are few, else what it is filtered by. */
export const listedLeads = ({ teamId, filter, chosen }: LeadList): RawBuilder<unknown> =>
  chosen && 'ids' in chosen
    ? sql`l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = any(${chosen.ids}::uuid[])`
    : conditions(teamId, filter)

/** A list that substrings have chosen from. */
export type ChosenList = LeadList & { readonly chosen: Chosen }

/** The newest of the leads that substrings have chosen, `needed` when there are so many. */
export const newestChosen = async (db: Reader, list: ChosenList, needed: number): Promise<string[]> => {
  const { teamId, filter, chosen } = list
  return 'ids' in chosen
    ? chosen.ids.slice(0, needed)
    : newestWithText(db, {
        teamId,
        scope: scopeOf(teamId, filter),
        filter: chosen.frequent,
        reach: chosen.reach,
        needed,
      })
}

/** Such a list as its pages far down are read; null when its leads are at hand. */
export const frequentTextOf = ({ teamId, filter, chosen }: ChosenList): ListWithText | null =>
  'frequent' in chosen ? { teamId, scope: scopeOf(teamId, filter), filter: chosen.frequent, reach: chosen.reach } : null
