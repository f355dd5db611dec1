/** SQL of `webhook`; team-wide/receivers.ts writes the rows of destinations and hooks. */
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import { queryOne } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { DisabledReason } from '../rules/endpoint.ts'
import type { WebhookSettings } from '../rules/settings.ts'

/** The agent that made the source, and the filters its leads must pass (G136); null for the source's own settings. */
type WebhookOrigin = { readonly agentId: string | null; readonly filters: readonly FilterRow<string>[] }

export const ownWebhook: WebhookOrigin = { agentId: null, filters: [] }

export type Webhook = WebhookSettings & {
  readonly ownerId: string
  readonly kind: 'source' | 'agent' | 'destination' | 'hook'
  readonly autoSendSince: Date | null
  readonly urlSetAt: Date | null
  /** Incremented when automatic sending starts anew (a changed URL, or autoSend switched on). */
  readonly generation: number
  readonly failingSince: Date | null
  readonly disabledAt: Date | null
  /** `by_person`: a person paused the destination. */
  readonly disabledReason: DisabledReason | 'by_person' | null
  readonly origin: WebhookOrigin
}

const columns = sql`owner_id as "ownerId", owner_kind as kind, url, icp_only as "icpOnly", auto_send as "autoSend",
  auto_send_since as "autoSendSince", url_set_at as "urlSetAt", generation, sync_events as "syncEvents",
  failing_since as "failingSince", disabled_at as "disabledAt", disabled_reason as "disabledReason",
  jsonb_build_object('agentId', agent_id, 'filters', filters) as origin`

/** The webhook of an owner; undefined when it never had one. */
export const findWebhook = (db: Reader, teamId: string, ownerId: string) =>
  queryOne<Webhook>(db)`
    select ${columns} from webhook where team_id = ${teamId} and owner_id = ${ownerId}`

/** Reads and locks webhooks, in the order of owner ids. Lock order: lead, webhook, delivery. */
export async function lockWebhooks(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<Map<string, Webhook>> {
  if (ownerIds.length === 0) return new Map()
  const { rows } = await sql<Webhook>`select ${columns} from webhook
      where team_id = ${teamId} and owner_id = any(${[...new Set(ownerIds)]}::uuid[]) order by owner_id
      for no key update`.execute(tx.db)
  return new Map(rows.map((row) => [row.ownerId, row]))
}

/** Reads and share-locks a webhook: PUTs and recorded attempts wait. Lock order: lead, webhook, delivery. */
export const shareWebhook = (tx: Tx, teamId: string, ownerId: string) =>
  queryOne<Webhook>(tx.db)`
    select ${columns} from webhook
      where team_id = ${teamId} and owner_id = ${ownerId} for share`

/** Settings for owners whose sources are locked. */
export type NewSettings = {
  readonly teamId: string
  readonly ownerIds: readonly string[]
  readonly origin: WebhookOrigin
  readonly settings: WebhookSettings
  /** The request names the URL, so a disabled endpoint is enabled again. */
  readonly namesUrl: boolean
  /** Treat the URL as changed although it is the same text. */
  readonly urlCountsAsChanged?: boolean
}

/** Writes settings. A changed URL clears the health; that, and switching autoSend on, starts a new generation. */
export async function saveWebhooks(
  tx: Tx,
  { teamId, ownerIds, origin, settings, namesUrl, urlCountsAsChanged = false }: NewSettings,
): Promise<void> {
  // Written as literals: Citus cannot infer the types of parameters that occur only in `on conflict`.
  const named = sql.lit(namesUrl)
  const now = sql`${sql.lit(tx.now.toISOString())}::timestamptz`
  const isOtherUrl = sql<boolean>`(${sql.lit(urlCountsAsChanged)} or w.url is distinct from excluded.url)`
  const autoSendBegins = sql<boolean>`(excluded.auto_send and not w.auto_send)`
  const isCleared = sql<boolean>`(w.url is not null and excluded.url is null)`
  await sql`
    insert into webhook as w (team_id, owner_id, owner_kind, url, icp_only, auto_send, sync_events, url_set_at, agent_id, filters)
    select ${teamId}::uuid, owner.id, ${origin.agentId === null ? 'source' : 'agent'}, ${settings.url}, ${settings.icpOnly},
      ${settings.autoSend}, ${settings.syncEvents}, ${settings.url === null ? null : tx.now}::timestamptz,
      ${origin.agentId}::uuid, ${JSON.stringify(origin.filters)}::jsonb
    from unnest(${[...ownerIds].sort()}::uuid[]) as owner (id)
    on conflict (team_id, owner_id) do update set
      owner_kind = excluded.owner_kind, url = excluded.url, icp_only = excluded.icp_only, auto_send = excluded.auto_send,
      sync_events = excluded.sync_events, agent_id = excluded.agent_id, filters = excluded.filters,
      auto_send_since = case when ${autoSendBegins} then ${now} else w.auto_send_since end,
      url_set_at = case when ${isOtherUrl} then excluded.url_set_at else w.url_set_at end,
      generation = w.generation + case when ${isOtherUrl} or ${autoSendBegins} then 1 else 0 end,
      cancelled_below_generation = case when ${isCleared} then w.generation + 1 else w.cancelled_below_generation end,
      clearing_unfinished = w.clearing_unfinished or ${isCleared},
      failing_since = case when ${isOtherUrl} or (${named} and w.disabled_at is not null) then null else w.failing_since end,
      disabled_at = case when ${isOtherUrl} or ${named} then null else w.disabled_at end,
      disabled_reason = case when ${isOtherUrl} or ${named} then null else w.disabled_reason end`.execute(tx.db)
}

/** Enables a locked, disabled endpoint. */
export async function rearmWebhook(tx: Tx, teamId: string, ownerId: string): Promise<void> {
  await sql`
    update webhook set failing_since = null, disabled_at = null, disabled_reason = null
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Since when an endpoint fails, and why it is disabled, if it is. */
export type Health = { readonly failingSince: Date; readonly disable: DisabledReason | null }

/** Writes the health of locked endpoints, by owner id. */
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

/** Ends the failing of endpoints that accepted a delivery, unless their URL has changed. */
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
      where w.team_id = ${teamId} and w.owner_id = a.owner_id and w.url = a.url
        and w.failing_since is not null`.execute(tx.db)
}

/** Marks that no delivery from before the URL was cleared is left. */
export async function markEnded(tx: Tx, teamId: string, ownerId: string): Promise<void> {
  await sql`update webhook set clearing_unfinished = false
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}
