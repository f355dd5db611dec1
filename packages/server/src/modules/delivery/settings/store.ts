/** SQL of webhook configurations: the `webhook` table is written here and nowhere else. */
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { DisabledReason } from '../rules/endpoint.ts'
import type { WebhookSettings } from '../rules/settings.ts'

/** Where a configuration comes from: the source itself, or the agent that made the source and whose filters its leads must pass (G136). */
type WebhookOrigin = { readonly agentId: string | null; readonly filters: readonly FilterRow<string>[] }

/** A configuration that a source has of itself. */
export const ownWebhook: WebhookOrigin = { agentId: null, filters: [] }

/** A stored configuration with its health. */
export type Webhook = WebhookSettings & {
  readonly ownerId: string
  readonly kind: 'source' | 'agent' | 'destination' | 'hook'
  readonly autoSendSince: Date | null
  readonly urlSetAt: Date | null
  /** Counts the times that automatic sending began anew; what is queued now is of this generation. */
  readonly generation: number
  readonly failingSince: Date | null
  readonly disabledAt: Date | null
  /** `by_person`: a destination that somebody has paused. */
  readonly disabledReason: DisabledReason | 'by_person' | null
  readonly origin: WebhookOrigin
}

type Row = {
  owner_id: string
  owner_kind: Webhook['kind']
  url: string | null
  icp_only: boolean
  auto_send: boolean
  auto_send_since: Date | null
  url_set_at: Date | null
  generation: number
  sync_events: boolean
  failing_since: Date | null
  disabled_at: Date | null
  disabled_reason: Webhook['disabledReason']
  agent_id: string | null
  filters: FilterRow<string>[]
}

const columns = sql`owner_id, owner_kind, url, icp_only, auto_send, auto_send_since, url_set_at, generation, sync_events,
  failing_since, disabled_at, disabled_reason, agent_id, filters`

const toWebhook = (row: Row): Webhook => ({
  ownerId: row.owner_id,
  kind: row.owner_kind,
  url: row.url,
  icpOnly: row.icp_only,
  autoSend: row.auto_send,
  autoSendSince: row.auto_send_since,
  urlSetAt: row.url_set_at,
  generation: row.generation,
  syncEvents: row.sync_events,
  failingSince: row.failing_since,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  origin: { agentId: row.agent_id, filters: row.filters },
})

/** Reads the configuration of an owner; undefined when it never had one. */
export async function findWebhook(db: Reader, teamId: string, ownerId: string): Promise<Webhook | undefined> {
  const { rows } =
    await sql<Row>`select ${columns} from webhook where team_id = ${teamId} and owner_id = ${ownerId}`.execute(db)
  return rows[0] && toWebhook(rows[0])
}

/**
 * Reads those of several owners and locks them, in the order of their ids, until the end of the unit. Lock order: lead,
 * webhook, delivery.
 */
export async function lockWebhooks(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<Map<string, Webhook>> {
  if (ownerIds.length === 0) return new Map()
  const { rows } = await sql<Row>`select ${columns} from webhook
      where team_id = ${teamId} and owner_id = any(${[...new Set(ownerIds)]}::uuid[]) order by owner_id
      for no key update`.execute(tx.db)
  return new Map(rows.map((row) => [row.owner_id, toWebhook(row)]))
}

/** Reads it and shares it until the end of the unit: a PUT waits, and so do attempts. Lock order: lead, webhook, delivery. */
export async function shareWebhook(tx: Tx, teamId: string, ownerId: string): Promise<Webhook | undefined> {
  const { rows } = await sql<Row>`select ${columns} from webhook
      where team_id = ${teamId} and owner_id = ${ownerId} for share`.execute(tx.db)
  return rows[0] && toWebhook(rows[0])
}

/** How saving touches what is not a setting. */
type SaveEffects = { readonly urlChanged: boolean; readonly rearmed: boolean; readonly autoSendBegan: boolean }

/** Writes the settings of an owner whose source is locked; a named URL clears the endpoint's bad record when it is new or was disabled. */
export async function saveWebhook(
  tx: Tx,
  {
    owner,
    settings,
    effects,
  }: {
    readonly owner: { teamId: string; ownerId: string; origin: WebhookOrigin }
    readonly settings: WebhookSettings
    readonly effects: SaveEffects
  },
): Promise<void> {
  await sql`
    insert into webhook as w (team_id, owner_id, owner_kind, url, icp_only, auto_send, auto_send_since, sync_events,
        url_set_at, agent_id, filters)
    values (${owner.teamId}, ${owner.ownerId}, ${owner.origin.agentId === null ? 'source' : 'agent'}, ${settings.url},
        ${settings.icpOnly}, ${settings.autoSend}, null, ${settings.syncEvents},
        ${settings.url === null ? null : tx.now}::timestamptz, ${owner.origin.agentId}::uuid,
        ${JSON.stringify(owner.origin.filters)}::jsonb)
    on conflict (team_id, owner_id) do update set
      url = excluded.url, icp_only = excluded.icp_only, auto_send = excluded.auto_send,
      sync_events = excluded.sync_events,
      owner_kind = excluded.owner_kind, agent_id = excluded.agent_id, filters = excluded.filters,
      auto_send_since = case when ${effects.autoSendBegan} then ${tx.now} else w.auto_send_since end,
      url_set_at = case when ${effects.urlChanged} then excluded.url_set_at else w.url_set_at end,
      generation = w.generation + ${effects.urlChanged || effects.autoSendBegan ? 1 : 0}::integer,
      live_from = case when excluded.url is null and w.url is not null then w.generation + 1 else w.live_from end,
      failing_since = case when ${effects.urlChanged} or (${effects.rearmed} and w.disabled_at is not null) then null
        else w.failing_since end,
      disabled_at = case when ${effects.urlChanged || effects.rearmed} then null else w.disabled_at end,
      disabled_reason = case when ${effects.urlChanged || effects.rearmed} then null
        else w.disabled_reason end`.execute(tx.db)
}

/**
 * Writes the same settings, with a URL, to several owners whose sources are locked, as a save that names all of them
 * does: one that had a bad record begins anew.
 */
export async function saveWebhooks(
  tx: Tx,
  {
    teamId,
    ownerIds,
    settings,
  }: {
    readonly teamId: string
    readonly ownerIds: readonly string[]
    readonly settings: WebhookSettings & { readonly url: string }
  },
): Promise<void> {
  await sql`
    insert into webhook as w (team_id, owner_id, owner_kind, url, icp_only, auto_send, auto_send_since, sync_events,
        url_set_at, agent_id, filters)
    select ${teamId}::uuid, o.id, 'source', ${settings.url}, ${settings.icpOnly}, ${settings.autoSend}, null,
      ${settings.syncEvents}, ${tx.now}::timestamptz, null, '[]'::jsonb
    from unnest(${[...ownerIds].sort()}::uuid[]) as o (id)
    on conflict (team_id, owner_id) do update set
      url = excluded.url, icp_only = excluded.icp_only, auto_send = excluded.auto_send,
      sync_events = excluded.sync_events,
      owner_kind = excluded.owner_kind, agent_id = excluded.agent_id, filters = excluded.filters,
      auto_send_since = case when excluded.auto_send and not w.auto_send then ${tx.now} else w.auto_send_since end,
      url_set_at = case when w.url is distinct from excluded.url then excluded.url_set_at else w.url_set_at end,
      generation = w.generation + case when w.url is distinct from excluded.url or (excluded.auto_send and not w.auto_send) then 1
        else 0 end,
      failing_since = case when w.url is distinct from excluded.url
        or w.disabled_at is not null then null else w.failing_since end,
      disabled_at = null, disabled_reason = null`.execute(tx.db)
}

/** Lets a disabled endpoint that is locked be tried again. */
export async function rearmWebhook(tx: Tx, teamId: string, ownerId: string): Promise<void> {
  await tx.db
    .updateTable('webhook')
    .set({ failing_since: null, disabled_at: null, disabled_reason: null })
    .where('team_id', '=', teamId)
    .where('owner_id', '=', ownerId)
    .execute()
}

/** How an endpoint fares: since when it fails, and why it is disabled now, if it is. */
export type Health = { readonly failingSince: Date; readonly disable: DisabledReason | null }

/** Writes the health of endpoints that are locked, by owner. */
export async function saveHealth(tx: Tx, teamId: string, health: ReadonlyMap<string, Health>): Promise<void> {
  if (health.size === 0) return
  const each = [...health.values()]
  await sql`
    update webhook w
    set failing_since = h.since, disabled_at = case when h.reason is null then w.disabled_at
      else ${tx.now}::timestamptz end, disabled_reason = coalesce(h.reason, w.disabled_reason)
    from unnest(${[...health.keys()]}::uuid[],
        ${each.map(({ failingSince }) => failingSince.toISOString())}::timestamptz[],
        ${each.map(({ disable }) => disable)}::text[]) as h (owner_id, since, reason)
    where w.team_id = ${teamId} and w.owner_id = h.owner_id`.execute(tx.db)
}

/** Endpoints that accepted something no longer count as failing, unless their URL is another by now. */
export async function saveHealed(
  tx: Tx,
  teamId: string,
  accepted: readonly { readonly ownerId: string; readonly url: string }[],
): Promise<void> {
  if (accepted.length > 0)
    await sql`
      update webhook w set failing_since = null
      from (select distinct * from unnest(${accepted.map(({ ownerId }) => ownerId)}::uuid[],
          ${accepted.map(({ url }) => url)}::text[]) as each (owner_id, url)) a
      where w.team_id = ${teamId} and w.owner_id = a.owner_id and w.url = a.url and w.failing_since is not null`.execute(
      tx.db,
    )
}

/** Notes whether rows from before the URL was cleared are left to be ended. */
export async function markEnding(
  tx: Tx,
  { teamId, ownerId }: { readonly teamId: string; readonly ownerId: string },
  ending: boolean,
): Promise<void> {
  await sql`update webhook set ending = ${ending} where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}
