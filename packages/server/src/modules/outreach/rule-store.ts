/** SQL of `outreach_rule`. Lock order: source, rule, queue, batch, ledger. */
import type { AgentFilterColumn, FilterRow, outreachRule } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { agentsFedBy, sourcesMadeBy } from '../accounts/index.ts'
import { addLogContext } from '../../platform/log-context.ts'
import { queryAll, queryColumn, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { defineRows, noteTaskContext, leaseRows, oldest, type Lease } from '../../platform/work/index.ts'
import type { z } from 'zod'
import { camelKeys, type SnakeKeys } from '../../platform/db/columns.ts'

type PausedReason = 'invalid_key' | 'campaign_closed'

export type Rule = {
  readonly ownerId: string
  readonly ownerKind: 'source' | 'agent'
  readonly campaignId: string
  readonly campaignName: string
  readonly autoSend: boolean
  /** Leads captured before are only sent by a push of history. */
  readonly autoSendSince: Date
  readonly filters: readonly FilterRow<AgentFilterColumn>[]
  readonly state: 'active' | 'paused'
  readonly pausedReason: PausedReason | null
  readonly updatedAt: Date
}

const columns = sql`r.owner_id as "ownerId", r.owner_kind as "ownerKind", r.campaign_id as "campaignId",
  r.campaign_name as "campaignName", r.auto_send as "autoSend",
  r.auto_send_since as "autoSendSince", r.filters, r.state, r.paused_reason as "pausedReason",
  r.updated_at as "updatedAt"`

/** The rule of an owner; undefined when it has none. */
export const readRule = (db: Reader, teamId: string, ownerId: string) =>
  queryOne<Rule>(db)`
    select ${columns} from outreach_rule r
      where r.team_id = ${teamId} and r.owner_id = ${ownerId}`

/** Reads and share-locks a rule, so that a removal or a send comes entirely before or after. */
export const shareRule = (tx: Tx, teamId: string, ownerId: string) =>
  queryOne<Rule>(tx.db)`
    select ${columns} from outreach_rule r
      where r.team_id = ${teamId} and r.owner_id = ${ownerId} for share`

/** A rule with its source; nulls for an agent's rule. */
export type ListedRule = Rule & {
  readonly sourceType: 'person' | 'company' | 'post' | 'keyword' | null
  readonly username: string | null
}

/** A team's rules, last saved first, without those of untracked sources. */
export const listRules = (db: Reader, teamId: string) =>
  queryAll<ListedRule>(db)`
    select ${columns}, s.type as "sourceType", s.username from outreach_rule r
    left join source s on r.owner_kind = 'source' and s.team_id = r.team_id and s.id = r.owner_id
    where r.team_id = ${teamId} and (r.owner_kind = 'agent' or s.status = 'active')
    order by r.updated_at desc, r.owner_id`

/** SQL: a source feeds a rule: its own source, or for an agent's rule those the agent made and did not stop (G136). */
export const feeds = (
  teamId: string,
  rule: Pick<Rule, 'ownerKind' | 'ownerId'>,
  sourceId: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  rule.ownerKind === 'source'
    ? sql`${sourceId} = ${rule.ownerId}`
    : sql`${sourceId} in (${sourcesMadeBy(teamId, rule.ownerId)})`

/** Reads and share-locks the automatic rules that these leads' sources feed; a removal comes entirely before or after. */
export const shareRulesOf = (tx: Tx, teamId: string, leadIds: readonly string[]) =>
  queryAll<Rule>(tx.db)`
    select ${columns} from outreach_rule r
    where r.team_id = ${teamId} and r.auto_send and r.owner_id in (
      with fed as (select l.source_id from unnest(${leadIds}::uuid[]) as asked(id)
        cross join lateral (select source_id from lead where team_id = ${teamId} and id = asked.id limit 1) l)
      select source_id from fed union ${agentsFedBy(teamId, sql`select source_id from fed`)})
    order by r.owner_id for share of r`

type NewRules = {
  readonly teamId: string
  readonly owners: { readonly kind: Rule['ownerKind']; readonly ids: readonly string[] }
  readonly rule: Pick<Rule, 'campaignId' | 'campaignName' | 'autoSend' | 'filters'>
}

/** Locks the owners whose rule has another campaign; what they have queued is meant for that one (G159). */
export const lockMoving = (
  tx: Tx,
  { teamId, ownerIds, campaignId }: { teamId: string; ownerIds: readonly string[]; campaignId: string },
): Promise<string[]> =>
  queryColumn<string>(tx.db)`
    select owner_id as "ownerId" from outreach_rule
    where team_id = ${teamId} and owner_id = any(${[...ownerIds]}::uuid[]) and campaign_id <> ${campaignId}
    order by owner_id for no key update`

/** Writes and activates one rule for owners of a kind. Leads captured while it was off or had another campaign stay history. */
export const upsertRules = (tx: Tx, { teamId, owners, rule }: NewRules) =>
  queryAll<Rule>(tx.db)`
    insert into outreach_rule as r (team_id, owner_id, owner_kind, campaign_id, campaign_name, auto_send,
        auto_send_since, filters, state, updated_at, due_at)
    select ${teamId}::uuid, o.id, ${owners.kind}, ${rule.campaignId}, ${rule.campaignName}, ${rule.autoSend}, ${tx.now},
      ${JSON.stringify(rule.filters)}::jsonb, 'active', ${tx.now}, ${tx.now}
    from unnest(${[...owners.ids].sort()}::uuid[]) as o (id)
    on conflict (team_id, owner_id) do update set
      campaign_id = excluded.campaign_id, campaign_name = excluded.campaign_name, auto_send = excluded.auto_send,
      filters = excluded.filters,
      auto_send_since = case when excluded.campaign_id <> r.campaign_id or (excluded.auto_send and not r.auto_send)
        then excluded.auto_send_since
        else r.auto_send_since end,
      state = 'active', paused_reason = null, updated_at = excluded.updated_at, due_at = excluded.due_at, failures = 0,
      unexpected_failures = 0
    returning ${columns}`

/** Removes a rule with its queue (OUT-19); a send under way is not recalled. */
export async function removeRule(tx: Tx, teamId: string, ownerId: string): Promise<void> {
  await sql`delete from outreach_rule where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Pauses the active rules of a team, or of one campaign. */
export async function pauseRules(
  tx: Tx,
  teamId: string,
  why: { readonly reason: PausedReason; readonly campaignId?: string },
): Promise<void> {
  const which = why.campaignId === undefined ? sql`true` : sql`campaign_id = ${why.campaignId}`
  await sql`update outreach_rule set state = 'paused', paused_reason = ${why.reason}, updated_at = ${tx.now}
    where team_id = ${teamId} and state = 'active' and ${which}`.execute(tx.db)
}

/** Work rows; an active rule is due when somebody in its queue is. */
export const ruleRows = defineRows({
  kind: 'outreach',
  rowKind: 'rule',
  table: 'outreach_rule',
  key: 'owner_id',
  keyType: 'uuid',
  open: sql<boolean>`w.state = 'active'`,
  dueAt: sql<Date>`(select greatest(w.due_at, q.due_at) from outreach_queue q
      where q.team_id = w.team_id and q.owner_id = w.owner_id order by q.due_at limit 1)`,
  always: true,
  fence: 'counted',
})

export type LeasedRule = {
  readonly teamId: string
  readonly ownerId: string
  readonly campaignId: string
  readonly fence: number
  readonly failures: number
}

type RuleRow = SnakeKeys<LeasedRule> & { readonly unexpected_failures: number }

/** Leases the due rule of one of the teams. */
export async function leaseRule(tx: Tx, teams: readonly string[], lease: Lease): Promise<LeasedRule | undefined> {
  const candidates = oldest(tx, ruleRows, { teams, nowMs: lease.nowMs, most: 1 })
  const [row] = await leaseRows<RuleRow>(tx, ruleRows, lease, candidates)
  if (!row) return undefined
  noteTaskContext(tx, ruleRows, row)
  addLogContext({ teamId: row.team_id, ownerId: row.owner_id })
  return camelKeys<RuleRow>(row)
}

/** Locks a leased rule; undefined when it was paused, removed, given another campaign, or taken over. */
export const lockLeased = (tx: Tx, leased: LeasedRule) =>
  queryOne<Rule>(tx.db)`
    select ${columns} from outreach_rule r
    where r.team_id = ${leased.teamId} and r.owner_id = ${leased.ownerId} and r.fence = ${leased.fence}
      and r.state = 'active' and r.campaign_id = ${leased.campaignId} for no key update`

/** Releases a rule: after a failure with `retryAt` (`held`: the failure does not count), else after a success. */
export async function releaseRule(
  tx: Tx,
  leased: LeasedRule,
  { retryAt, how = 'tried' }: { retryAt?: Date | undefined; how?: 'tried' | 'held' } = {},
): Promise<void> {
  const outcome =
    retryAt === undefined
      ? sql`failures = 0, unexpected_failures = 0`
      : sql`failures = failures + ${how === 'held' ? 0 : 1}::integer, due_at = ${retryAt}`
  await sql`update outreach_rule set lease_owner = null, lease_until_ms = null, ${outcome}
    where team_id = ${leased.teamId} and owner_id = ${leased.ownerId} and fence = ${leased.fence}`.execute(tx.db)
  tx.mark('outreach', leased.teamId)
}

/** A rule without its owner (G105). */
export const presentRule = (rule: Rule): z.input<typeof outreachRule> => ({ ...rule, filters: [...rule.filters] })
