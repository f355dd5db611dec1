/** SQL of `result`. Rows are never changed in what they say, and known results are not inserted again. */
import type { Outcome } from '@les/contract'
import { sql } from 'kysely'
import { queryAll, queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { namerOf, namesPerson, namesPersonInId, type ErasedPerson } from '../accounts/index.ts'
import type { KnownPerson } from './people.ts'
import type { Origin } from './schema.ts'
import { withoutTexts } from './rules/posted.ts'
import type { ReportedResult } from './rules/repeats.ts'

/** A result of a known person. */
export type NewResult = {
  readonly person: KnownPerson
  readonly outcome: Outcome
  readonly at: Date
  readonly amount?: number | null | undefined
  readonly currency?: string | null | undefined
  readonly externalId?: string | null | undefined
  readonly campaignId?: string | null | undefined
  readonly note?: string | null | undefined
}

/**
 * Inserts new results; returns list indexes. Unique indexes (external id of an origin; person, outcome, time) decide what is new.
 */
export async function insertResults(
  tx: Tx,
  {
    teamId,
    origin,
    results,
  }: { readonly teamId: string; readonly origin: Origin; readonly results: readonly NewResult[] },
): Promise<ReadonlySet<number>> {
  if (results.length === 0) return new Set()
  const rows = results.map((one, place) => ({
    place,
    id: tx.newId(),
    urn: one.person.personUrn,
    handle: one.person.handle,
    lead: one.person.leadId,
    outcome: one.outcome,
    at: one.at.toISOString(),
    amount: one.amount ?? null,
    currency: one.currency ?? null,
    external: one.externalId ?? null,
    campaign: one.campaignId ?? null,
    note: one.note ?? null,
  }))
  const nameOf = (row: (typeof rows)[number]) => row.urn ?? row.handle ?? ''
  // If an external id is given twice, the first in the list counts, even if they are about two people.
  const firstWith = new Map(rows.toReversed().map(({ external, place }) => [external, place]))
  // Sorted, so that two callers with the same people do not deadlock.
  const ordered = rows
    .filter(({ external, place }) => external === null || firstWith.get(external) === place)
    .toSorted((a, b) => (nameOf(a) === nameOf(b) ? a.place - b.place : nameOf(a) < nameOf(b) ? -1 : 1))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into result (team_id, id, person_urn, handle, lead_id, outcome, at, amount, currency, origin, external_id,
      campaign_id, note, recorded_at)
    select ${teamId}::uuid, r.id, r.urn, r.handle, r.lead, r.outcome, r.at, r.amount, r.currency, ${origin}, r.external,
      r.campaign, r.note, ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) as r(id uuid, urn text, handle text, lead uuid, outcome text,
      at timestamptz, amount double precision, currency text, external text, campaign text, note text)
    on conflict do nothing returning id`.execute(tx.db)
  // Somebody who replied may be excluded by it, so leased deliveries are judged again.
  tx.judgeAgain()
  const written = new Set(inserted.map(({ id }) => id))
  return new Set(rows.filter(({ id }) => written.has(id)).map(({ place }) => place))
}

/** The list indexes of results whose person and outcome are known, whatever the time. */
export async function findKnown(
  db: Reader,
  teamId: string,
  results: readonly NewResult[],
): Promise<ReadonlySet<number>> {
  const asked = results.map(({ person: { personUrn, handle }, outcome }, place) => ({
    place,
    urn: personUrn,
    handle,
    outcome,
  }))
  const known = await queryColumn<number>(db)`
    select a.place from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(place int, urn text, handle text, outcome text)
    where exists (select 1 from result where team_id = ${teamId} and person_urn = a.urn and outcome = a.outcome)
      or exists (select 1 from result where team_id = ${teamId} and handle = a.handle and outcome = a.outcome)`
  return new Set(known)
}

/** Adds the member id to results that have only a handle (sent before capture), so that they survive a change of handle. */
export async function holdResultsById(
  tx: Tx,
  teamId: string,
  people: readonly { readonly urn: string; readonly handle: string | null }[],
): Promise<void> {
  await sql`
    update result r set person_urn = k.urn
    from unnest(${people.map(({ urn }) => urn)}::text[], ${people.map(({ handle }) => handle)}::text[]) as k (urn, handle)
    where (select exists (select 1 from result where team_id = ${teamId}))
      and r.team_id = ${teamId} and r.person_urn is null and r.handle = k.handle
      and not exists (select 1 from result same where same.team_id = ${teamId} and same.person_urn = k.urn
        and same.outcome = r.outcome and same.at = r.at)`.execute(tx.db)
}

/** What the outreach platform has reported about these people. */
export async function listReported(
  db: Reader,
  teamId: string,
  people: readonly KnownPerson[],
): Promise<ReportedResult[]> {
  const urns = people.flatMap(({ personUrn }) => personUrn ?? [])
  const handles = people.flatMap(({ handle }) => handle ?? [])
  const columns = sql`person_urn as "personUrn", handle, outcome, campaign_id as "campaignId"`
  return queryAll<ReportedResult>(db)`
    select ${columns} from result where team_id = ${teamId} and origin = 'heyreach' and person_urn = any(${urns}::text[])
    union select ${columns} from result
      where team_id = ${teamId} and origin = 'heyreach' and handle = any(${handles}::text[])`
}

/** Deletes a person's results and posts, and takes them out of other results and posts. Returns how many results. */
export async function forgetResults(tx: Tx, teamId: string, person: ErasedPerson): Promise<number> {
  const { urns, handles } = person
  await sql`delete from result_inbox
    where team_id = ${teamId} and (person = any(${[...urns, ...handles]}::text[])
      or person is null and ${namesPerson(sql`body`, person)})`.execute(tx.db)
  // A post about somebody else may wait to be applied.
  const { rows: others } = await sql<{ hash: Buffer; body: string }>`
    select hash, body from result_inbox where team_id = ${teamId} and ${namesPerson(sql`body`, person)}`.execute(tx.db)
  const isNamed = namerOf(person)
  for (const { hash, body } of others)
    await sql`update result_inbox set body = ${JSON.stringify(withoutTexts(JSON.parse(body), isNamed))}
      where team_id = ${teamId} and hash = ${hash}`.execute(tx.db)
  const gone = await sql`
    delete from result where team_id = ${teamId}
      and (person_urn = any(${[...urns]}::text[]) or handle = any(${[...handles]}::text[]))`.execute(tx.db)
  const inNote = namesPerson(sql`coalesce(note, '')`, person)
  const inId = namesPersonInId(sql`coalesce(external_id, '')`, person)
  await sql`update result set note = case when ${inNote} then null else note end,
      external_id = case when ${inId} then null else external_id end
    where team_id = ${teamId} and (${inNote} or ${inId})`.execute(tx.db)
  return Number(gone.numAffectedRows ?? 0)
}

/** Unlinks results from leads deleted by age; the results stay, because a person who replied must not be sent again. */
export async function unlinkResults(
  tx: Tx,
  teamId: string,
  { leadIds, urns }: { readonly leadIds: readonly string[]; readonly urns: readonly string[] },
): Promise<void> {
  await sql`update result set lead_id = null
    where team_id = ${teamId} and person_urn = any(${[...urns]}::text[]) and lead_id = any(${[...leadIds]}::uuid[])`.execute(
    tx.db,
  )
}
