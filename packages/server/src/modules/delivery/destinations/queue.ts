/**
 * What waits for a destination. One delivery waits for each person (for each lead, where a destination takes one message a lead): a
 * further fact about somebody who waits already joins it. Whether it goes is judged when it is queued, and again before it is sent.
 */
import type { FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { compileForPeople, scoresOfPerson } from '../../fit/index.ts'
import { hasExclusions, isExcluded } from '../../leads/index.ts'
import type { Destination } from './store.ts'
import { listDestinations } from './store.ts'

import type { Kind } from './schema.ts'

/** Kinds that take one message a lead; the others have one record a person. */
const kindsPerLead: readonly Kind[] = ['webhook', 'slack']

/** SQL: lead `l`, with company record `c` and its person's scores, may go to a destination by its own settings. */
function mayGo(destination: Pick<Destination, 'filters' | 'icpOnly' | 'sourceIds'>): RawBuilder<boolean> {
  const { filters, icpOnly, sourceIds } = destination
  return sql.join(
    [
      sql`l.enrichment in ('completed', 'failed')`,
      ...(sourceIds === null ? [] : [sql`l.source_id = any(${[...sourceIds]}::uuid[])`]),
      ...(icpOnly ? [sql`l.is_icp is not false`] : []),
      compileForPeople(filters) ?? sql`true`,
    ],
    sql` and `,
  ) as RawBuilder<boolean>
}

const leadsWithFacts = sql`lead l left join company c on c.urn = l.company_urn ${scoresOfPerson}`

/** Those of the leads that may go to a destination now. */
export async function listAllowed(
  db: Reader,
  destination: Destination,
  leadIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select l.id from ${leadsWithFacts}
    where l.team_id = ${destination.teamId} and l.id = any(${[...leadIds]}::uuid[]) and ${mayGo(destination)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Which leads are asked to go. */
export type Asked = {
  /** Undefined: all. */
  readonly leadIds?: readonly string[] | undefined
  readonly filters?: readonly FilterRow<string>[] | undefined
  /** Only leads captured since. */
  readonly since?: Date
  readonly pushId: string | null
}

/** What of a team's leads `l` is asked for. */
const askedOf = (teamId: string, { leadIds, filters = [], since }: Omit<Asked, 'pushId'>): RawBuilder<unknown> =>
  sql.join(
    [
      sql`l.team_id = ${teamId} and l.enrichment in ('completed', 'failed')`,
      ...(leadIds ? [sql`l.id = any(${[...leadIds]}::uuid[])`] : []),
      ...(since ? [sql`l.created_at >= ${since}`] : []),
      compileForPeople(filters) ?? sql`true`,
    ],
    sql` and `,
  )

/** How many leads are asked for, whether they may go or not. */
export async function countAsked(db: Reader, teamId: string, asked: Omit<Asked, 'pushId'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${leadsWithFacts} where ${askedOf(teamId, asked)}`.execute(db)
  return rows[0]!.count
}

/** How many of those that may go are left out, because their people are excluded. */
export async function countExcludedAsked(
  db: Reader,
  destination: Destination,
  asked: Omit<Asked, 'pushId'>,
): Promise<number> {
  const { teamId } = destination
  if (!(await hasExclusions(db, teamId))) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${leadsWithFacts}
    where ${askedOf(teamId, asked)} and ${mayGo(destination)} and ${isExcluded(teamId)}`.execute(db)
  return rows[0]!.count
}

/** SQL: what is asked for and may go, by the subject that it is delivered of: a lead, or a person known by several member ids. */
const passing = async (db: Reader, destination: Destination, asked: Omit<Asked, 'pushId'>) => sql`
  select ${kindsPerLead.includes(destination.kind) ? sql`l.id::text` : sql`coalesce(same.urn, l.person_urn)`} as subject,
    l.person_urn as urn, l.id as lead_id, l.created_at
  from ${leadsWithFacts}
  left join lateral (
    select min(other.urn) as urn from person p
    join person other on other.team_id = p.team_id and other.handle = p.handle
    where p.team_id = l.team_id and p.urn = l.person_urn) same on true
  where ${askedOf(destination.teamId, asked)} and ${mayGo(destination)}
    and ${(await hasExclusions(db, destination.teamId)) ? sql`not ${isExcluded(destination.teamId)}` : sql`true`}`

/** How many deliveries `queueFor` would queue. */
export async function countQueueable(
  db: Reader,
  destination: Destination,
  asked: Omit<Asked, 'pushId'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct subject)::integer as count from (${await passing(db, destination, asked)}) passing`.execute(
    db,
  )
  return rows[0]!.count
}

/**
 * Queues what is asked for and may go; answers how many deliveries are queued by it. A person known by several member ids under one
 * address is one subject. What waits already is moved to the newest lead, and joins the push.
 */
export async function queueFor(tx: Tx, destination: Destination, asked: Asked): Promise<number> {
  const { teamId, id } = destination
  const { rows: wanted } = await sql<{ subject: string; urn: string; leadId: string }>`
    select distinct on (subject) subject, urn, lead_id as "leadId" from (${await passing(tx.db, destination, asked)}) passing
    order by subject, created_at desc, lead_id desc`.execute(tx.db)
  if (wanted.length === 0) return 0
  const { rows } = await sql<{ id: string }>`
    insert into destination_delivery (team_id, id, destination_id, subject, person_urn, lead_id, push_id, state, due_at, at)
    select ${teamId}, w.id, ${id}, w.subject, w.urn, w.lead_id, ${asked.pushId}, 'waiting', ${tx.now}, ${tx.now}
    from unnest(${wanted.map(() => tx.newId())}::uuid[], ${wanted.map(({ subject }) => subject)}::text[],
      ${wanted.map(({ urn }) => urn)}::text[], ${wanted.map(({ leadId }) => leadId)}::uuid[]) as w (id, subject, urn, lead_id)
    on conflict (team_id, destination_id, subject) where state = 'waiting' and begun_at is null
    do update set lead_id = excluded.lead_id, person_urn = excluded.person_urn,
      push_id = coalesce(excluded.push_id, destination_delivery.push_id)
    returning id`.execute(tx.db)
  tx.enqueue('destination', teamId)
  return rows.length
}

/** Lets a delivery wait again that was refused, or of which nobody knows; one that waits for the same person takes its place. */
export async function retryDelivery(
  tx: Tx,
  { teamId, id, deliveryId }: { readonly teamId: string; readonly id: string; readonly deliveryId: string },
): Promise<void> {
  await sql`
    update destination_delivery d set state = 'waiting', begun_at = null, error = null, due_at = ${tx.now}, at = ${tx.now}
    where d.team_id = ${teamId} and d.id = ${deliveryId} and d.state in ('refused', 'unknown', 'excluded') and not exists (
      select from destination_delivery other where other.team_id = d.team_id and other.destination_id = ${id}
        and other.subject = d.subject and other.state = 'waiting')`.execute(tx.db)
  tx.enqueue('destination', teamId)
}

/**
 * Queues enriched leads for every destination of their team that was there when they were captured, paused ones too: what waits goes
 * when they resume. Called in the unit of work that ends the enrichment of the leads.
 */
export async function offerToDestinations(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  for (const destination of await listDestinations(tx.db, teamId))
    if (destination.kind !== 'webhook')
      await queueFor(tx, destination, { leadIds, since: destination.createdAt, pushId: null })
}
