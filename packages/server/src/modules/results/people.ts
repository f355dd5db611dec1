import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** How a person is named: by lead, member id or handle; null when by none. */
export type PersonRef = { readonly leadId: string } | { readonly urn: string } | { readonly handle: string } | null

/** The member id or handle in a name; nulls for a lead. */
export const nameIn = (named: PersonRef): { readonly urn: string | null; readonly handle: string | null } => ({
  urn: named && 'urn' in named ? named.urn : null,
  handle: named && 'handle' in named ? named.handle : null,
})

/** A person the team knows; `leadId` is the named lead, else their newest. */
export type KnownPerson = {
  readonly personUrn: string | null
  readonly handle: string | null
  readonly leadId: string | null
}

/** The named people by list index; those neither captured nor sent are absent. */
export async function findPeople(
  db: Reader,
  teamId: string,
  named: readonly PersonRef[],
): Promise<Map<number, KnownPerson>> {
  const asked = named.map((name, place) => ({
    place,
    lead: name && 'leadId' in name ? name.leadId : null,
    ...nameIn(name),
  }))
  const { rows } = await sql<KnownPerson & { place: number }>`
    select a.place, u.urn as "personUrn", coalesce(known.handle, a.handle, given.handle, newest.handle) as handle,
      coalesce(given.id, newest.id) as "leadId"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(place int, lead uuid, urn text, handle text)
    left join lateral (select id, person_urn, handle from lead where team_id = ${teamId} and id = a.lead limit 1) given on true
    left join lateral (select urn from person where team_id = ${teamId} and handle = a.handle
      order by enriched_at desc nulls last, urn limit 1) by_handle on true
    cross join lateral (select coalesce(given.person_urn, a.urn, by_handle.urn) as urn) u
    left join lateral (select handle from person where team_id = ${teamId} and urn = u.urn limit 1) known on true
    left join lateral (select id, handle from lead where team_id = ${teamId} and person_urn = u.urn
      order by created_at desc, id desc limit 1) newest on true
    where given.id is not null or newest.id is not null
      or exists (select 1 from outreach_send where team_id = ${teamId} and person_urn = u.urn)
      or exists (select 1 from outreach_send where team_id = ${teamId} and handle = coalesce(a.handle, known.handle))
    order by a.place`.execute(db)
  return new Map(rows.map(({ place, ...person }) => [place, person]))
}
