/** SQL of `destination`. Credentials are sealed under the team's key and bound to their destination. */
import type { FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { defineRows } from '../../../platform/work/index.ts'
import type { AdapterParts, Connection, DestinationAdapter, MappingRow } from '../../../providers/destinations/port.ts'
import { findTeamSecrets, sealForTeam } from '../../accounts/index.ts'
import type { Kind, PausedReason } from './rules.ts'

/** Work rows; a destination is due with its first waiting delivery, day to close or stage round, but not before `due_at`. */
export const destinationRows = defineRows({
  kind: 'destination',
  rowKind: 'destination',
  table: 'destination',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`(w.active and coalesce(w.paused_reason, 'quota') = 'quota')`,
  dueAt: sql<Date | null>`(
    select greatest(min(due.at), w.due_at) from (
      select due_at as at from destination_delivery d
      where d.team_id = w.team_id and d.destination_id = w.id and d.state = 'waiting'
      union all
      select closes_at from destination_day f where f.team_id = w.team_id and f.destination_id = w.id
      union all
      select w.stages_at where w.stages_at is not null) due
    having count(*) > 0)`,
  fence: 'counted',
})

/** A destination as it is read, without its credentials. */
export type Destination = {
  readonly id: string
  readonly teamId: string
  readonly kind: Kind
  readonly name: string
  readonly active: boolean
  readonly pausedReason: PausedReason | null
  readonly settings: Readonly<Record<string, unknown>>
  readonly credentialsHint: string | null
  readonly filters: readonly FilterRow<string>[]
  readonly icpOnly: boolean
  readonly sourceIds: readonly string[] | null
  readonly mapping: readonly MappingRow[]
  readonly createdAt: Date
  readonly lastDeliveredAt: Date | null
  readonly failingSince: Date | null
  readonly failures: number
}

/** An open destination: its row, adapter, connection and calls. */
export type Session = {
  readonly destination: Destination
  readonly adapter: DestinationAdapter
  readonly connection: Connection
  readonly parts: AdapterParts
}

/** SQL: a value of the destination's `webhook` row, where the health of its address is kept. */
const ofWebhook = (what: RawBuilder<unknown>) => sql`(
  select ${what} from webhook w where w.team_id = destination.team_id and w.owner_id = destination.id)`
const lastSent = sql`(
  select max(finished_at) from (
    select finished_at from delivery d
    where d.team_id = destination.team_id and d.owner_id = destination.id and d.state = 'sent' order by d.id desc limit 100) newest)`

const columns = sql`id, team_id as "teamId", kind, name, active, settings,
  case when kind = 'webhook' then ${ofWebhook(sql`case when w.disabled_reason <> 'by_person' then 'setup_missing' end`)}
    else paused_reason end as "pausedReason",
  credentials_hint as "credentialsHint", filters, icp_only as "icpOnly", source_ids as "sourceIds", mapping,
  created_at as "createdAt", case when kind = 'webhook' then ${lastSent} else last_delivered_at end as "lastDeliveredAt",
  case when kind = 'webhook' then ${ofWebhook(sql`w.failing_since`)} else failing_since end as "failingSince", failures`

/** The fields of a destination that decide which leads may go there. */
export type Target = Pick<Destination, 'id' | 'teamId' | 'kind' | 'filters' | 'icpOnly' | 'sourceIds' | 'createdAt'>

/** The team's destinations, oldest first, for queueing; without health, which costs a look at deliveries. */
export const listTargets = (db: Reader, teamId: string) =>
  queryAll<Target>(db)`
    select id, team_id as "teamId", kind, filters, icp_only as "icpOnly", source_ids as "sourceIds", created_at as "createdAt"
    from destination where team_id = ${teamId} order by created_at, id`

const selectDestinations = (db: Reader, teamId: string, which: RawBuilder<unknown>) =>
  queryAll<Destination>(db)`
    select ${columns} from destination where team_id = ${teamId} and ${which}`

/** The team's destinations, oldest first. */
export const listDestinations = (db: Reader, teamId: string): Promise<Destination[]> =>
  selectDestinations(db, teamId, sql`true order by created_at, id`)

/** One destination of a team; undefined when there is none. */
export async function findDestination(db: Reader, teamId: string, id: string | null): Promise<Destination | undefined> {
  return id === null ? undefined : (await selectDestinations(db, teamId, sql`id = ${id}`))[0]
}

/** The same, locked against other changes. */
export async function lockDestination(tx: Tx, teamId: string, id: string | null): Promise<Destination | undefined> {
  return id === null ? undefined : (await selectDestinations(tx.db, teamId, sql`id = ${id} for no key update`))[0]
}

export type DestinationSettings = Pick<
  Destination,
  'name' | 'active' | 'settings' | 'credentialsHint' | 'filters' | 'icpOnly' | 'sourceIds' | 'mapping'
>

type NewDestination = {
  readonly teamId: string
  readonly id: string
  readonly kind: Kind
  readonly set: DestinationSettings
  readonly credentials: Buffer
  readonly hasStages: boolean
}

/** Inserts a destination. */
export async function insertDestination(tx: Tx, made: NewDestination): Promise<void> {
  const { teamId, id, kind, set, credentials, hasStages } = made
  await sql`
    insert into destination (team_id, id, kind, name, active, settings, credentials, credentials_hint, filters, icp_only,
      source_ids, mapping, created_at, due_at, stages_at)
    values (${teamId}, ${id}, ${kind}, ${set.name}, ${set.active}, ${JSON.stringify(set.settings)}::jsonb, ${credentials},
      ${set.credentialsHint}, ${JSON.stringify(set.filters)}::jsonb, ${set.icpOnly}, ${set.sourceIds}::uuid[],
      ${JSON.stringify(set.mapping)}::jsonb, ${tx.now}, ${tx.now}, ${hasStages ? tx.now : null})`.execute(tx.db)
}

/** Undefined `credentials` stay as they are; `resumed` makes everything that waits due at once. */
type Change = Pick<NewDestination, 'teamId' | 'id' | 'set'> & {
  readonly credentials: Buffer | undefined
  readonly resumed: boolean
}

/** Writes a person's change of a locked destination. */
export async function updateDestination(tx: Tx, { teamId, id, set, credentials, resumed }: Change): Promise<void> {
  const anew = sql`, paused_reason = null, failing_since = null, failures = 0, due_at = ${tx.now}`
  await sql`
    update destination set name = ${set.name}, active = ${set.active}, settings = ${JSON.stringify(set.settings)}::jsonb,
      credentials = coalesce(${credentials ?? null}::bytea, credentials), credentials_hint = ${set.credentialsHint},
      filters = ${JSON.stringify(set.filters)}::jsonb, icp_only = ${set.icpOnly}, source_ids = ${set.sourceIds}::uuid[],
      mapping = ${JSON.stringify(set.mapping)}::jsonb ${resumed ? anew : sql``}
    where team_id = ${teamId} and id = ${id}`.execute(tx.db)
  if (resumed)
    await sql`
      update destination_delivery set due_at = ${tx.now} where team_id = ${teamId} and destination_id = ${id}
        and state = 'waiting' and due_at > ${tx.now}`.execute(tx.db)
}

/** Deletes a destination and its records; what was delivered stays on the platform. */
export async function deleteDestination(tx: Tx, teamId: string, id: string): Promise<void> {
  await sql`delete from destination_delivery where team_id = ${teamId} and destination_id = ${id}`.execute(tx.db)
  await sql`delete from destination_day where team_id = ${teamId} and destination_id = ${id}`.execute(tx.db)
  await sql`delete from destination_record where team_id = ${teamId} and destination_id = ${id}`.execute(tx.db)
  await sql`delete from destination where team_id = ${teamId} and id = ${id}`.execute(tx.db)
}

const boundTo = (id: string) => `destination|${id}`

/** Seals the credentials of a destination. */
export async function sealCredentials(
  db: Reader,
  { vault, teamId, id }: { vault: Vault; teamId: string; id: string },
  credentials: unknown,
): Promise<Buffer> {
  return sealForTeam(db, { vault, teamId, place: boundTo(id), plain: JSON.stringify(credentials) })
}

/** The credentials of a destination; null when there are none. */
export async function openCredentials(
  db: Reader,
  { vault, teamId, id }: { vault: Vault; teamId: string; id: string },
): Promise<unknown> {
  const sealed = await queryValue<Buffer | null>(db)`
    select credentials from destination where team_id = ${teamId} and id = ${id}`
  if (!sealed) return null
  const team = await findTeamSecrets(db, teamId)
  return team ? (JSON.parse(vault.openFor(team, boundTo(id), sealed).toString()) as unknown) : null
}
