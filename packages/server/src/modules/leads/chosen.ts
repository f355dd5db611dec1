/** Leads that somebody has chosen for an act: by their ids, all of a source, or all that the filters of the list choose. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ExportFilters } from './export.ts'
import { chooseByText, conditions } from './listing.ts'
import { filterOf } from './operations.ts'
import { readScope } from './scope.ts'
import type { VerdictSource } from './verdicts.ts'

/** Which leads. */
export type ChosenLeads =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | { readonly by: 'source'; readonly sourceId: string }
  | { readonly by: 'filters'; readonly filters: ExportFilters }

/**
 * The chosen leads as a condition on `lead l`, the team's alone; refuses what `GET /leads` refuses of the filters. Raw
 * leads are among them only by their ids.
 */
export async function conditionOfChosen(
  db: Reader,
  teamId: string,
  chosen: ChosenLeads,
  verdicts: VerdictSource,
): Promise<RawBuilder<unknown>> {
  if (chosen.by === 'ids') return sql`l.team_id = ${teamId} and l.id = any(${chosen.ids}::uuid[])`
  if (chosen.by === 'source')
    return sql`l.team_id = ${teamId} and l.owner_id = ${chosen.sourceId} and l.enrichment <> 'raw'`
  const filter = await filterOf(db, teamId, chosen.filters, await readScope(db, teamId, chosen.filters), verdicts)
  const found = await chooseByText(db, teamId, filter)
  return found && 'ids' in found
    ? sql`l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = any(${found.ids}::uuid[])`
    : conditions(teamId, filter)
}

/** The ids of chosen leads, newest first, at most `most`. */
export async function leadsOfChosen(
  db: Reader,
  teamId: string,
  chosen: ChosenLeads,
  most: number,
  verdicts: VerdictSource,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${await conditionOfChosen(db, teamId, chosen, verdicts)}
    order by l.created_at desc, l.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
