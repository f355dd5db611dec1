/** Leads that somebody has chosen for an act: by their ids, all of a source, or all that the filters of the list choose. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { ExportFilters } from './export.ts'
import { readList } from './list-request.ts'
import { listedLeads } from './text-choice.ts'

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
  { teamId, chosen }: { readonly teamId: string; readonly chosen: ChosenLeads },
): Promise<RawBuilder<unknown>> {
  if (chosen.by === 'ids') return sql`l.team_id = ${teamId} and l.id = any(${chosen.ids}::uuid[])`
  if (chosen.by === 'source')
    return sql`l.team_id = ${teamId} and l.owner_id = ${chosen.sourceId} and l.enrichment <> 'raw'`
  return listedLeads(await readList(db, { teamId, input: chosen.filters }))
}

/** The ids of chosen leads, newest first, at most `most`. */
export async function leadsOfChosen(
  db: Reader,
  { teamId, chosen, most }: { readonly teamId: string; readonly chosen: ChosenLeads; readonly most: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${await conditionOfChosen(db, { teamId, chosen })}
    order by l.created_at desc, l.id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}
