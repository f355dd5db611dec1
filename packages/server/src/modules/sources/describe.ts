/** What sources are called, for those who know only their ids. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, labelOfSource } from '../leads/index.ts'

/** Kind and label of some sources of a team, by id; untracked ones are among them. */
export async function describeSources(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly type: string; readonly label: string }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; type: string; label: string }>`
    select s.id, s.type, ${labelOfSource} as label from source s ${labelJoins}
    where s.team_id = ${teamId} and s.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...description }) => [id, description]))
}
