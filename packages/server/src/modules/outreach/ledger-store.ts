/**
 * SQL of who was sent to which campaign: rows of `outreach_send` and their batch begin here. Two unique indexes, by member id
 * and by handle, decide who sends a person: whoever inserts the row first. What becomes of them is written in batch-store.ts.
 */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Lease } from '../../platform/work/index.ts'
import type { Batch } from './batch-store.ts'
import type { PersonKeys } from './rules/recipients.ts'

/** Somebody as the ledger notes them. */
export type LedgerPerson = PersonKeys & { readonly profileUrl: string; readonly leadId: string | null }

const peopleAs = (people: readonly (PersonKeys & { readonly place?: number })[]) =>
  sql`unnest(${people.map((one) => one.personUrn)}::text[], ${people.map((one) => one.handle)}::text[],
      ${people.map((_one, place) => place)}::int[]) as a(urn, handle, place)`

const rowsOf = (teamId: string, campaignId: string) => sql`
  select id, state, batch_id from outreach_send
  where team_id = ${teamId} and campaign_id = ${campaignId} and person_urn = a.urn
  union select id, state, batch_id from outreach_send
  where team_id = ${teamId} and campaign_id = ${campaignId} and handle = a.handle`

/**
 * Notes people as being sent; answers the batch with the places in the list of those whom nobody has sent or is
 * sending, or no batch when there are none.
 */
export async function claimPeople(
  tx: Tx,
  {
    to,
    people,
    lease,
  }: { to: { readonly teamId: string; readonly campaignId: string }; people: readonly LedgerPerson[]; lease: Lease },
): Promise<{ batch: Batch; places: readonly number[] } | undefined> {
  const { teamId, campaignId } = to
  const id = tx.newId()
  await sql`delete from outreach_send
    where team_id = ${teamId} and id in (select s.id from ${peopleAs(people)}
      cross join lateral (${rowsOf(teamId, campaignId)}) s where s.state = 'failed')`.execute(tx.db)
  const rows = people.map((person, place) => ({
    id: tx.newId(),
    place,
    urn: person.personUrn,
    handle: person.handle,
    url: person.profileUrl,
    lead: person.leadId,
  }))
  // In one order, so that two claims of the same people do not lock each other out.
  const ordered = rows.toSorted((a, b) => ((a.urn ?? a.handle ?? '') < (b.urn ?? b.handle ?? '') ? -1 : 1))
  const { rows: inserted } = await sql<{ id: string }>`
    insert into outreach_send (team_id, id, campaign_id, batch_id, person_urn, handle, profile_url, lead_id, state,
        sent_at)
    select ${teamId}::uuid, r.id, ${campaignId}, ${id}::uuid, r.urn, r.handle, r.url, r.lead, 'sending',
      ${tx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(ordered)}::jsonb) as r(id uuid, urn text, handle text, url text, lead uuid)
    on conflict do nothing returning id`.execute(tx.db)
  if (inserted.length === 0) return undefined
  const claimed = new Set(inserted.map((row) => row.id))
  await sql`
    insert into outreach_batch (team_id, id, campaign_id, state, due_at, lease_owner, lease_until_ms, fence, created_at)
    values (${teamId}, ${id}, ${campaignId}, 'sending', ${tx.now}, ${lease.owner}, ${lease.untilMs}, 1,
        ${tx.now})`.execute(tx.db)
  // Should its sender die, it is found when the lease has run out.
  tx.mark('outreach', teamId)
  return {
    batch: { teamId, id, campaignId, fence: 1 },
    places: rows.filter((row) => claimed.has(row.id)).map((row) => row.place),
  }
}

/** How many of these people may have been sent to a campaign by a call whose answer was lost. */
export async function countUncertain(
  db: Reader,
  to: { readonly teamId: string; readonly campaignId: string },
  people: readonly PersonKeys[],
): Promise<number> {
  if (people.length === 0) return 0
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people from (
      select a.place from ${peopleAs(people)} cross join lateral (${rowsOf(to.teamId, to.campaignId)}) s
      group by a.place having bool_or(s.state = 'uncertain') and not bool_or(s.state = 'sent')) uncertain`.execute(db)
  return rows[0]!.people
}

/**
 * How the ledger knows these people in a campaign, by their place in the list: `sent` (also who may have been, when
 * nobody will look any more), or `open` while that is not decided.
 */
export async function findKnown(
  db: Reader,
  { teamId, campaignId, people }: { teamId: string; campaignId: string; people: readonly PersonKeys[] },
): Promise<Map<number, 'sent' | 'open'>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<{ place: number; sent: boolean }>`
    select a.place, bool_or(s.state = 'sent' or b.state = 'settled') as sent from ${peopleAs(people)}
    cross join lateral (${rowsOf(teamId, campaignId)}) s
    join outreach_batch b on b.team_id = ${teamId} and b.id = s.batch_id where s.state <> 'failed'
    group by a.place`.execute(db)
  return new Map(rows.map((row) => [row.place, row.sent ? 'sent' : 'open']))
}
