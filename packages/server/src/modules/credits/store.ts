/** SQL of the ledger. The only writer of `credit_account` and `credit_entry`. */
import { sql } from 'kysely'
import { someTeam } from '../../platform/db/planning.ts'
import { countAffected, queryColumn, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Account } from './rules/renewal.ts'

export type AccountName = 'team' | 'agent_trial'

/** A ledger line that is not a charge; lapses are negative. A refund has its charge's source and sync. */
export type EntryDraft = {
  readonly key: string
  readonly kind: 'grant' | 'topup' | 'lapse' | 'adjust' | 'refund'
  readonly amount: number
  readonly sourceId?: string | null
  readonly syncId?: string | null
}

/** A charge of one credit for one business fact, identified by its key. */
export type Charge = {
  readonly key: string
  readonly category: 'source' | 'discover' | 'posts_read' | 'enrichment' | 'agent_trial'
  readonly sourceId: string | null
  readonly syncId: string | null
}

export type AccountKey = { readonly teamId: string; readonly name: AccountName }

const columns = sql`granted, spent, held, allowance, period_used as "periodUsed", overspent, anchor_at as "anchorAt",
  period_start as "periodStart", period_end as "periodEnd"`

/** Reads an account. */
export const findAccount = (db: Reader, teamId: string, name: AccountName) =>
  queryOne<Account>(db)`select ${columns} from credit_account where team_id = ${teamId} and account = ${name}`

/**
 * SQL: advisory lock for sharing or locking a team's accounts. Unlike for row locks, waiters queue: sharing pages cannot starve a
 * unit that wants to lock.
 */
const accountsOf = (teamId: string) => sql`hashtextextended(${`credit_account|${teamId}`}, 0)`

/** Reads an account and locks it until the unit ends; nobody can share it meanwhile. */
export const lockAccountRow = (tx: Tx, teamId: string, name: AccountName) =>
  queryOne<Account>(tx.db)`
    with entered as materialized (select pg_advisory_xact_lock(${accountsOf(teamId)}))
    select ${columns} from entered cross join credit_account a
    where a.team_id = ${teamId} and a.account = ${name} for update of a`

/** Shares an account until the unit ends if a running period has `ample` credits. Figures may be outdated; charges check. */
export const shareAccountRow = (tx: Tx, { teamId, name }: AccountKey, ample: number) =>
  queryOne<Account>(tx.db)`
    with seen as materialized (
      select * from credit_account where team_id = ${teamId} and account = ${name}
        and granted - spent - held >= ${ample} and (period_end is null or period_end > ${tx.now})),
    entered as materialized (select pg_advisory_xact_lock_shared(${accountsOf(teamId)}) from seen)
    select ${columns} from seen cross join entered`

/** Opens an account with its first allowance, and enters that under `key`. */
export async function insertAccount(
  tx: Tx,
  account: AccountKey,
  { key, allowance, period }: { key: string; allowance: number; period: Pick<Account, 'periodStart' | 'periodEnd'> },
): Promise<void> {
  await sql`
    insert into credit_account (team_id, account, granted, spent, held, allowance, period_used, overspent, anchor_at,
      period_start, period_end)
    values (${account.teamId}, ${account.name}, ${allowance}, 0, 0, ${allowance}, 0, 0, ${tx.now}, ${period.periodStart},
      ${period.periodEnd})`.execute(tx.db)
  await insertEntries(tx, account, [{ key, kind: 'grant', amount: allowance }])
}

/** Writes the figures of an account whose row is locked. */
export async function saveAccount(tx: Tx, { teamId, name }: AccountKey, account: Account): Promise<void> {
  await sql`
    update credit_account set granted = ${account.granted}, spent = ${account.spent}, held = ${account.held},
      allowance = ${account.allowance}, period_used = ${account.periodUsed}, overspent = ${account.overspent},
      anchor_at = ${account.anchorAt}, period_start = ${account.periodStart}, period_end = ${account.periodEnd}
    where team_id = ${teamId} and account = ${name}`.execute(tx.db)
}

/** Inserts lines with new keys; false when a key existed, whose line is left unchanged. */
export async function insertEntries(
  tx: Tx,
  { teamId, name }: AccountKey,
  entries: readonly EntryDraft[],
): Promise<boolean> {
  const rows = entries.map((entry) => ({ ...entry, id: tx.newId() }))
  const inserted = await countAffected(tx.db)`
    insert into credit_entry (team_id, id, account, key, kind, amount, source_id, sync_id, created_at)
    select ${teamId}, e.id, ${name}, e.key, e.kind, e.amount, e."sourceId", e."syncId", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, key text, kind text, amount bigint,
      "sourceId" uuid, "syncId" uuid)
    on conflict (team_id, key) do nothing`
  return inserted === entries.length
}

/** Inserts charges with new keys and deducts them from the account; returns how many. `short`: too few credits, so roll back. */
export async function insertCharges(
  tx: Tx,
  { teamId, name }: AccountKey,
  charges: readonly Charge[],
): Promise<number | 'short'> {
  if (charges.length === 0) return 0
  const lines = charges.map((charge) => ({ ...charge, id: tx.newId() }))
  // The account is updated last, because pages of different sources wait for its row.
  const { rows } = await sql<{ category: string | null; count: number; paid: boolean }>`
    with added as (
      insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, sync_id, created_at)
      select ${teamId}, e.id, ${name}, e.key, 'charge', -1, e.category, e."sourceId", e."syncId", ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as e(id uuid, key text, category text, "sourceId" uuid, "syncId" uuid)
      on conflict (team_id, key) do nothing
      returning category),
    paid as (
      update credit_account a set spent = a.spent + sum.credits, period_used = a.period_used + sum.credits
      from (select count(*) as credits from added) sum
      where a.team_id = ${teamId} and a.account = ${name} and sum.credits > 0
        and a.granted - a.spent - a.held >= sum.credits
      returning 1)
    select category, count(*) as count, exists (select 1 from paid) as paid from added group by category`.execute(tx.db)
  if (rows.some((row) => !row.paid)) return 'short'
  for (const { category, count } of rows) tx.count('credits_charged', category ?? 'none', count)
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Which of these keys are in the ledger. */
export async function knownCharges(db: Reader, teamId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  // One index look-up per key: with `any`, the planner may scan the whole team while statistics are young.
  const found = await queryColumn<string>(db)`
    select asked.key from ${someTeam(teamId)} cross join unnest(${keys}::text[]) as asked (key)
    cross join lateral (select 1 from credit_entry
      where team_id = given.team_id and key = asked.key limit 1) known`
  return new Set(found)
}
