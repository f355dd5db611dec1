/** At most one unbegun delivery waits per person (per lead for `kindsPerLead`), judged when queued and before it is sent. */
import type { FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryColumn, queryOne } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { compileForPeople, scoresOfPerson } from '../../fit/index.ts'
import { isExcluded } from '../../leads/index.ts'
import { findDestination, listTargets, type Target } from './store.ts'
import type { Kind } from './rules.ts'

/** Kinds whose adapter takes one message per lead (`limits.per`); listed here because queueing does not load adapters. */
export const kindsPerLead: readonly Kind[] = ['slack']

/** SQL: lead `l`, joined with company `c` and the person's scores, passes the destination's own settings. */
function mayGo(destination: Target): RawBuilder<boolean> {
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

/** SQL: leads `l` with what filters compare. */
export const leadsWithFacts = sql`lead l left join company c on c.urn = l.company_urn ${scoresOfPerson}`

/** The ids of those leads that may go to a destination. */
export async function listAllowed(db: Reader, destination: Target, leadIds: readonly string[]): Promise<Set<string>> {
  const found = await queryColumn<string>(db)`
    select l.id from ${leadsWithFacts}
    where l.team_id = ${destination.teamId} and l.id = any(${[...leadIds]}::uuid[]) and ${mayGo(destination)}`
  return new Set(found)
}

export type LeadSelection = {
  readonly leadIds?: readonly string[] | undefined
  readonly filters?: readonly FilterRow<string>[] | undefined
  /** Set for automatic deliveries: leads captured since and enriched; failed ones, whose exclusion is unknown, need a push. */
  readonly since?: Date
  readonly pushId: string | null
  /** Only update people who already have a record at the destination. */
  readonly isUpdate?: boolean
}

const askedOf = (
  teamId: string,
  { leadIds, filters = [], since }: Omit<LeadSelection, 'pushId' | 'isUpdate'>,
): RawBuilder<unknown> =>
  sql.join(
    [
      sql`l.team_id = ${teamId} and l.enrichment in ('completed', ${since ? 'completed' : 'failed'})`,
      ...(leadIds ? [sql`l.id = any(${[...leadIds]}::uuid[])`] : []),
      ...(since ? [sql`l.created_at >= ${since}`] : []),
      compileForPeople(filters) ?? sql`true`,
    ],
    sql` and `,
  )

/** Counts the leads asked for, and those that would go if their person were not excluded. */
export async function countAsked(
  db: Reader,
  destination: Target,
  asked: Omit<LeadSelection, 'pushId'>,
): Promise<{ considered: number; excluded: number }> {
  const { teamId } = destination
  return (await queryOne<{ considered: number; excluded: number }>(db)`
    select count(*)::integer as considered,
      (count(*) filter (where ${mayGo(destination)} and ${isExcluded(teamId)}))::integer as excluded
    from ${leadsWithFacts} where ${askedOf(teamId, asked)}`)!
}

type Wanted = { readonly subject: string; readonly urn: string; readonly leadId: string }

/** The leads asked for that may go to a webhook destination: only those that have a source, which the event names. */
export async function listPushable(
  db: Reader,
  destination: Target,
  asked: Omit<LeadSelection, 'pushId'>,
): Promise<{ id: string; sourceId: string }[]> {
  const { teamId } = destination
  return queryAll<{ id: string; sourceId: string }>(db)`
    select l.id, l.source_id as "sourceId" from ${leadsWithFacts}
    where ${askedOf(teamId, asked)} and ${mayGo(destination)} and l.source_id is not null
      and not ${isExcluded(teamId)}
    order by l.id`
}

/** A person with several member ids under one handle is one subject, named by the id known first: later ids change nothing. */
async function listWanted(db: Reader, destination: Target, asked: LeadSelection): Promise<Wanted[]> {
  const { teamId, id } = destination
  const isPerLead = kindsPerLead.includes(destination.kind)
  const known = sql`exists (select from destination_record r
    where r.team_id = ${teamId} and r.destination_id = ${id} and r.subject = passing.subject)`
  // A message cannot be changed, so it is sent again only when a person asks for it.
  const isWanted = asked.isUpdate ? known : isPerLead && asked.pushId === null ? sql`not ${known}` : sql`true`
  return queryAll<Wanted>(db)`
    select distinct on (subject) subject, urn, lead_id as "leadId" from (
      select ${isPerLead ? sql`l.id::text` : sql`coalesce(same.urn, l.person_urn)`} as subject, l.person_urn as urn,
        l.id as lead_id, l.created_at
      from ${leadsWithFacts}
      left join lateral (
        select other.urn from person p
        join person other on other.team_id = p.team_id and other.handle = p.handle
        where p.team_id = l.team_id and p.urn = l.person_urn order by other.id limit 1) same on true
      where ${askedOf(teamId, asked)} and ${mayGo(destination)}
        and not ${isExcluded(teamId)}) passing
    where ${isWanted}
    order by subject, created_at desc, lead_id desc`
}

/** Replaces each lead by its person's newest that may go: a record shows the newest, whichever lead changed. */
async function withNewestLead(
  db: Reader,
  destination: Target,
  { wanted, since }: { readonly wanted: readonly Wanted[]; readonly since: Date | undefined },
): Promise<Wanted[]> {
  const { teamId } = destination
  const { rows } = await sql<{ urn: string; leadId: string }>`
    select distinct on (l.person_urn) l.person_urn as urn, l.id as "leadId" from ${leadsWithFacts}
    where l.team_id = ${teamId} and l.person_urn = any(${wanted.map(({ urn }) => urn)}::text[])
      and ${since ? sql`l.created_at >= ${since}` : sql`true`} and ${mayGo(destination)} and not ${isExcluded(teamId)}
    order by l.person_urn, l.created_at desc, l.id desc`.execute(db)
  const newest = new Map(rows.map(({ urn, leadId }) => [urn, leadId]))
  return wanted.map((one) => ({ ...one, leadId: newest.get(one.urn) ?? one.leadId }))
}

/** Drops rows whose lead was deleted and locks the other leads against deletion: an erasure may be running. */
async function withoutDeleted(tx: Tx, teamId: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lead where team_id = ${teamId} and id = any(${wanted.map(({ leadId }) => leadId)}::uuid[])
    order by id for key share`.execute(tx.db)
  const there = new Set(rows.map(({ id }) => id))
  return wanted.filter(({ leadId }) => there.has(leadId))
}

/** Counts what `pushDestination` without filters would queue; undefined when there is no such destination. */
export async function previewDestinationPush(
  db: Reader,
  teamId: string,
  id: string | null,
): Promise<{ queued: number; considered: number; excluded: number } | undefined> {
  const destination = await findDestination(db, teamId, id)
  if (destination === undefined) return undefined
  const isWebhook = destination.kind === 'webhook'
  const wanted = isWebhook
    ? await listPushable(db, destination, {})
    : await listWanted(db, destination, { pushId: destination.id })
  return { queued: wanted.length, ...(await countAsked(db, destination, {})) }
}

/** Queues the leads asked for that may go. Returns how many deliveries; those already waiting join the push. */
export async function queueFor(tx: Tx, destination: Target, asked: LeadSelection): Promise<number> {
  const { teamId, id } = destination
  const found = await listWanted(tx.db, destination, asked)
  if (found.length === 0) return 0
  const newest = kindsPerLead.includes(destination.kind)
    ? found
    : await withNewestLead(tx.db, destination, { wanted: found, since: asked.since })
  const wanted = await withoutDeleted(tx, teamId, newest)
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

/** Makes a refused, unknown or excluded delivery wait again, unless another one already waits for the subject. */
export async function retryDelivery(
  tx: Tx,
  { teamId, id }: Pick<Target, 'teamId' | 'id'>,
  { id: deliveryId }: { readonly id: string },
): Promise<void> {
  await sql`
    update destination_delivery d set state = 'waiting', begun_at = null, error = null, due_at = ${tx.now}, at = ${tx.now}
    where d.team_id = ${teamId} and d.id = ${deliveryId} and d.state in ('refused', 'unknown', 'excluded') and not exists (
      select from destination_delivery other where other.team_id = d.team_id and other.destination_id = ${id}
        and other.subject = d.subject and other.state = 'waiting')`.execute(tx.db)
  tx.enqueue('destination', teamId)
}

/** Queues leads for every destination older than they are, paused ones too. Call in the unit that ends their enrichment. */
export async function offerToDestinations(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  for (const destination of leadIds.length === 0 ? [] : await listTargets(tx.db, teamId))
    if (destination.kind !== 'webhook')
      await queueFor(tx, destination, { leadIds, since: destination.createdAt, pushId: null })
}

/** Updates the records of people whose verdict or rank changed (DST-06); adds nobody. Call in the unit that writes verdicts. */
export async function updateAtDestinations(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  for (const destination of leadIds.length === 0 ? [] : await listTargets(tx.db, teamId))
    if (destination.kind !== 'webhook' && !kindsPerLead.includes(destination.kind))
      await queueFor(tx, destination, { leadIds, pushId: null, isUpdate: true })
}
