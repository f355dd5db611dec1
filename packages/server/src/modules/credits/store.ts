/** SQL of the ledger. The only writer of `credit_account` and `credit_entry`. */
import { sql, type Selectable } from 'kysely'
import { someTeam } from '../../platform/db/planning.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Account } from './rules/renewal.ts'
import type { CreditAccountTable } from './schema.ts'

/** A team's accounts. */
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

type AccountRow = Omit<Selectable<CreditAccountTable>, 'team_id' | 'account'>

const toAccount = (row: AccountRow): Account => ({
  granted: row.granted,
  spent: row.spent,
  held: row.held,
  allowance: row.allowance,
  periodUsed: row.period_used,
  overspent: row.overspent,
  anchorAt: row.anchor_at,
  periodStart: row.period_start,
  periodEnd: row.period_end,
})

/** Reads an account. */
export async function findAccount(db: Reader, teamId: string, name: AccountName): Promise<Account | undefined> {
  const row = await db
    .selectFrom('credit_account')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('account', '=', name)
    .executeTakeFirst()
  return row && toAccount(row)
}

/**
 * SQL: advisory lock for sharing or locking a team's accounts. Unlike for row locks, waiters queue: sharing pages cannot starve a
 * unit that wants to lock.
 */
const accountsOf = (teamId: string) => sql`hashtextextended(${`credit_account|${teamId}`}, 0)`

/** Reads an account and locks it until the unit ends; nobody can share it meanwhile. */
export async function lockAccountRow(tx: Tx, teamId: string, name: AccountName): Promise<Account | undefined> {
  const { rows } = await sql<AccountRow>`
    with entered as materialized (select pg_advisory_xact_lock(${accountsOf(teamId)}))
    select a.* from entered cross join credit_account a
    where a.team_id = ${teamId} and a.account = ${name} for update of a`.execute(tx.db)
  return rows[0] && toAccount(rows[0])
}

/** Shares an account until the unit ends if a running period has `ample` credits. Figures may be outdated; charges check. */
export async function shareAccountRow(
  tx: Tx,
  { teamId, name, ample }: { teamId: string; name: AccountName; ample: number },
): Promise<Account | undefined> {
  const { rows } = await sql<AccountRow>`
    with seen as materialized (
      select * from credit_account where team_id = ${teamId} and account = ${name}
        and granted - spent - held >= ${ample} and (period_end is null or period_end > ${tx.now})),
    entered as materialized (select pg_advisory_xact_lock_shared(${accountsOf(teamId)}) from seen)
    select seen.* from seen cross join entered`.execute(tx.db)
  return rows[0] && toAccount(rows[0])
}

const figuresOf = ({ anchorAt, periodUsed, periodStart, periodEnd, ...figures }: Account) => ({
  ...figures,
  period_used: periodUsed,
  anchor_at: anchorAt,
  period_start: periodStart,
  period_end: periodEnd,
})

/** Inserts an account with the given figures. */
export async function insertAccount(
  tx: Tx,
  { teamId, name, account }: { teamId: string; name: AccountName; account: Account },
): Promise<void> {
  await tx.db
    .insertInto('credit_account')
    .values({ team_id: teamId, account: name, ...figuresOf(account) })
    .execute()
}

/** Writes the figures of an account whose row is locked. */
export async function saveAccount(
  tx: Tx,
  { teamId, name, account }: { teamId: string; name: AccountName; account: Account },
): Promise<void> {
  await tx.db
    .updateTable('credit_account')
    .set(figuresOf(account))
    .where('team_id', '=', teamId)
    .where('account', '=', name)
    .execute()
}

/** Inserts lines with new keys; false when a key existed, whose line is left unchanged. */
export async function insertEntries(
  tx: Tx,
  { teamId, name, entries }: { teamId: string; name: AccountName; entries: readonly EntryDraft[] },
): Promise<boolean> {
  const rows = entries.map((entry) => ({ ...entry, id: tx.newId() }))
  const { numAffectedRows } = await sql`
    insert into credit_entry (team_id, id, account, key, kind, amount, source_id, sync_id, created_at)
    select ${teamId}, e.id, ${name}, e.key, e.kind, e.amount, e."sourceId", e."syncId", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, key text, kind text, amount bigint,
      "sourceId" uuid, "syncId" uuid)
    on conflict (team_id, key) do nothing`.execute(tx.db)
  return Number(numAffectedRows) === entries.length
}

/** Inserts charges with new keys and deducts them from the account; returns how many. `short`: too few credits, so roll back. */
export async function insertCharges(
  tx: Tx,
  { teamId, name, charges }: { teamId: string; name: AccountName; charges: readonly Charge[] },
): Promise<number | 'short'> {
  if (charges.length === 0) return 0
  const lines = charges.map(({ sourceId, syncId, ...charge }) => ({
    ...charge,
    id: tx.newId(),
    source_id: sourceId,
    sync_id: syncId,
  }))
  // The account is updated last, because pages of different sources wait for its row.
  const { rows } = await sql<{ category: string | null; count: number; paid: boolean }>`
    with added as (
      insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, sync_id, created_at)
      select ${teamId}, e.id, ${name}, e.key, 'charge', -1, e.category, e.source_id, e.sync_id, ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as e(id uuid, key text, category text, source_id uuid, sync_id uuid)
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
  const { rows } = await sql<{ key: string }>`
    select asked.key from ${someTeam(teamId)} cross join unnest(${keys}::text[]) as asked (key)
    cross join lateral (select 1 from credit_entry
      where team_id = given.team_id and key = asked.key limit 1) known`.execute(db)
  return new Set(rows.map((row) => row.key))
}
