/**
 * Verdicts while criteria that were saved are still reaching an owner's leads: a lead that they have not reached yet is judged by them
 * as it is read, never by the verdict that older ones left on it (docs/decisions/0022). Criteria lie above leads, so they come in
 * through `VerdictSource`.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { LeadCondition, LeadCursor } from './scoring.ts'

/** Criteria that have not reached all leads of their owner: those stored behind `reached` are still to be judged. */
export type OpenCriteria = {
  readonly ownerId: string
  /** Null: there are no rules any more, and nobody is judged. */
  readonly condition: LeadCondition
  readonly reached: LeadCursor
}

/** Where open criteria come from. */
export type VerdictSource = {
  /** SQL: some criteria of the team are open; part of statements that read leads, so that asking costs no round trip. */
  readonly isOpen: (teamId: string) => RawBuilder<boolean>
  /** Reads the open ones of a team. */
  readonly read: (db: Reader, teamId: string) => Promise<readonly OpenCriteria[]>
}

/** SQL: the verdict on the lead `l`, true, false or null. */
export function verdictOf(open: readonly OpenCriteria[]): RawBuilder<boolean | null> {
  if (open.length === 0) return sql`l.is_icp`
  const cases = open.map(({ ownerId, condition, reached }) => {
    const behind =
      reached === null ? sql`true` : sql`(l.created_at, l.id) > (${reached.at}::timestamptz, ${reached.id}::uuid)`
    const verdict =
      condition === null
        ? sql`null::boolean`
        : sql`case when l.enrichment in ('completed', 'failed') then (select ${condition} from (values (1)) one
            left join company c on c.urn = l.company_urn) end`
    return sql`when l.owner_id = ${ownerId}::uuid and ${behind} then ${verdict}`
  })
  return sql`(case ${sql.join(cases, sql` `)} else l.is_icp end)`
}

/** Gives rows that were read with their stored verdicts the ones that hold, when criteria were open as they were read. */
export async function withVerdicts<
  R extends { readonly id: string; is_icp: boolean | null; readonly judging: boolean },
>(
  db: Reader,
  { teamId, rows, verdicts }: { readonly teamId: string; readonly rows: R[]; readonly verdicts: VerdictSource },
): Promise<R[]> {
  if (!rows.some((row) => row.judging)) return rows
  const open = await verdicts.read(db, teamId)
  if (open.length === 0) return rows
  const { rows: judged } = await sql<{ id: string; verdict: boolean | null }>`
    select l.id, ${verdictOf(open)} as verdict from lead l
    where l.team_id = ${teamId} and l.id = any(${rows.map((row) => row.id)}::uuid[])`.execute(db)
  const byId = new Map(judged.map(({ id, verdict }) => [id, verdict]))
  return rows.map((row) => ({ ...row, is_icp: byId.has(row.id) ? byId.get(row.id)! : row.is_icp }))
}
