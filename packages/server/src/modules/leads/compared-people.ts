/** People that a comparison shows: gained, lost, and on a near miss, each by one of their leads. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** Somebody by one of their leads. */
export type PersonByLead = {
  readonly leadId: string
  readonly name: string | null
  readonly jobTitle: string | null
  readonly company: string | null
  readonly country: string | null
  readonly linkedinUrl: string
}

/** People of each kind that a comparison names. */
export type ShownPeople<Person> = { readonly [K in 'gained' | 'lost' | 'near']: readonly Person[] }

/** The leads that stand for those shown, the newest first; null where a kind has none. */
export type ShownIds = { gainedIds: string[] | null; lostIds: string[] | null; nearIds: string[] | null }

/**
 * Reads the people shown, in the order in which they are named; `more`: further columns of `lead l` and its `company c`,
 * each behind a comma.
 */
export async function readShown<Person extends PersonByLead = PersonByLead>(
  db: Reader,
  teamId: string,
  { gainedIds, lostIds, nearIds, more = sql`` }: ShownIds & { readonly more?: RawBuilder<unknown> },
): Promise<ShownPeople<Person>> {
  const ids = [...new Set([gainedIds, lostIds, nearIds].flatMap((some) => some ?? []))]
  const { rows } = await sql<Person>`
    select l.id as "leadId", l.name, l.job_title as "jobTitle", l.company_name as company, l.country,
      l.linkedin_url as "linkedinUrl" ${more}
    from lead l left join company c on c.urn = l.company_urn
    where l.team_id = ${teamId} and l.id = any(${ids}::uuid[])`.execute(db)
  const byId = new Map(rows.map((person) => [person.leadId, person]))
  const inOrder = (some: readonly string[] | null) => (some ?? []).flatMap((id) => byId.get(id) ?? [])
  return { gained: inOrder(gainedIds), lost: inOrder(lostIds), near: inOrder(nearIds) }
}
