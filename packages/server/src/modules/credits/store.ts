/** SQL of the ledger: `credit_account` and `credit_entry` are written here and nowhere else. */
import { sql, type Selectable } from 'kysely'
import { chargesBetween } from './charges.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import type { Account } from './rules/renewal.ts'
import type { CreditAccountTable } from './schema.ts'

/** Which of a team's accounts. */
export type AccountName = 'team' | 'agent_trial'

/** A line of the ledger to be written. */
export type EntryDraft = {
  readonly key: string
  readonly kind: 'grant' | 'topup' | 'lapse' | 'adjust' | 'charge'
  /** Signed: charges and lapses are negative. */
  readonly amount: number
  readonly category: string | null
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

/** Reads an account; undefined when there is none. */
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
 * SQL: the name under which units share a team's accounts or have them alone. Apart from their rows, since who waits for
 * such a name stands in a queue: pages that come one after another never keep out who wants the accounts alone.
 */
const accountsOf = (teamId: string) => sql`hashtextextended(${`credit_account|${teamId}`}, 0)`

/** Reads an account and locks it until the end of the unit, with nobody sharing it. */
export async function lockAccountRow(tx: Tx, teamId: string, name: AccountName): Promise<Account | undefined> {
  const { rows } = await sql<AccountRow>`
    with entered as materialized (select pg_advisory_xact_lock(${accountsOf(teamId)}))
    select a.* from entered cross join credit_account a
    where a.team_id = ${teamId} and a.account = ${name} for update of a`.execute(tx.db)
  return rows[0] && toAccount(rows[0])
}

/**
 * Reads an account and shares it until the end of the unit, when it holds at least `ample` credits of a period that is
 * not over; undefined otherwise. What is read may be behind: a charge is what looks at the row as it is.
 */
export async function shareAccountRow(
  tx: Tx,
  { teamId, name, ample }: { readonly teamId: string; readonly name: AccountName; readonly ample: number },
): Promise<Account | undefined> {
  const { rows } = await sql<AccountRow>`
    with seen as materialized (
      select * from credit_account where team_id = ${teamId} and account = ${name}
        and granted - spent - held >= ${ample} and (period_end is null or period_end > ${tx.now})),
    entered as materialized (select pg_advisory_xact_lock_shared(${accountsOf(teamId)}) from seen)
    select seen.* from seen cross join entered`.execute(tx.db)
  return rows[0] && toAccount(rows[0])
}

/** The figures of an account as its row holds them. */
const figuresOf = ({ anchorAt, periodUsed, periodStart, periodEnd, ...figures }: Account) => ({
  ...figures,
  period_used: periodUsed,
  anchor_at: anchorAt,
  period_start: periodStart,
  period_end: periodEnd,
})

/** Makes an account with nothing in it. */
export async function insertAccount(
  tx: Tx,
  { teamId, name, account }: { readonly teamId: string; readonly name: AccountName; readonly account: Account },
): Promise<void> {
  await tx.db
    .insertInto('credit_account')
    .values({ team_id: teamId, account: name, ...figuresOf(account) })
    .execute()
}

/** Writes the figures of an account whose row is locked. */
export async function saveAccount(
  tx: Tx,
  { teamId, name, account }: { readonly teamId: string; readonly name: AccountName; readonly account: Account },
): Promise<void> {
  await tx.db
    .updateTable('credit_account')
    .set(figuresOf(account))
    .where('team_id', '=', teamId)
    .where('account', '=', name)
    .execute()
}

/** A line of the ledger as its statement reads it. */
const rowOf = <T extends Pick<EntryDraft, 'sourceId' | 'syncId'>>(tx: Tx, { sourceId, syncId, ...entry }: T) => ({
  ...entry,
  id: tx.newId(),
  source_id: sourceId,
  sync_id: syncId,
})

/** Writes lines whose keys are new and answers those keys; a key already in the ledger is left as it is. */
export async function insertEntries(
  tx: Tx,
  {
    teamId,
    name,
    entries,
  }: { readonly teamId: string; readonly name: AccountName; readonly entries: readonly EntryDraft[] },
): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, sync_id, created_at)
    select ${teamId}, e.id, ${name}, e.key, e.kind, e.amount, e.category, e.source_id, e.sync_id, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(entries.map((entry) => rowOf(tx, entry)))}::jsonb)
      as e(id uuid, key text, kind text, amount bigint, category text, source_id uuid, sync_id uuid)
    on conflict (team_id, key) do nothing
    returning key`.execute(tx.db)
  const written = new Set(rows.map((row) => row.key))
  for (const [category, lines] of Map.groupBy(
    entries.filter((entry) => entry.kind === 'charge' && written.has(entry.key)),
    (entry) => entry.category ?? 'none',
  )) {
    tx.count(
      'credits_charged',
      category,
      lines.reduce((sum, line) => sum - line.amount, 0),
    )
  }
  return written
}

/**
 * Writes charges of one credit each whose keys are new, and takes what they come to off an account that is locked or
 * shared, in one statement; answers how many. `short` when the account holds too little: the unit must be undone then.
 */
export async function insertCharges(
  tx: Tx,
  {
    teamId,
    name,
    charges,
  }: {
    readonly teamId: string
    readonly name: AccountName
    readonly charges: readonly Pick<EntryDraft, 'key' | 'category' | 'sourceId' | 'syncId'>[]
  },
): Promise<number | 'short'> {
  if (charges.length === 0) return 0
  // The account comes last: its row is what pages of different sources wait for.
  const { rows } = await sql<{ category: string | null; count: number; paid: boolean }>`
    with added as (
      insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, sync_id, created_at)
      select ${teamId}, e.id, ${name}, e.key, 'charge', -1, e.category, e.source_id, e.sync_id, ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(charges.map((charge) => rowOf(tx, charge)))}::jsonb)
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

/** A sum of charges: of a day, or of a category and its source. */
export type ChargeSum = {
  readonly date: string | null
  readonly category: string | null
  readonly sourceId: string | null
  readonly credits: number
}

/** Sums charges between two instants, both inclusive: rows with a date by day, the others by source. */
export async function sumCharges(
  db: Reader,
  { teamId, from, to }: { readonly teamId: string; readonly from: Date; readonly to: Date },
): Promise<ChargeSum[]> {
  const { rows } = await sql<ChargeSum>`
    with charges as (
      select day, category, case category when 'agent_trial' then null else source_id end as source_id,
        sum(credits) as credits
      from (${chargesBetween({ teamId, from, to })}) charged group by 1, 2, 3
    )
    select to_char(day, 'YYYY-MM-DD') as date, null as category, null::uuid as "sourceId",
      sum(credits)::bigint as credits
    from charges group by day
    union all
    select null, category, source_id, sum(credits)::bigint from charges group by category, source_id`.execute(db)
  return rows
}

/** SQL: accounts of active teams whose period has ended. */
const ended = (now: Date) =>
  sql`credit_account a join team t on t.id = a.team_id where a.period_end <= ${now} and t.status = 'active'`

/** True when some credit period has ended. */
export const renewalsDue = (now: Date): Condition =>
  sql<boolean>`exists (select 1 from ${ended(now)} and a.team_id <> ${sampleTeamId}::uuid)`

/** Teams whose period is over, oldest first. */
export async function listDueRenewals(
  db: Reader,
  { now, limit, without }: { readonly now: Date; readonly limit: number; readonly without: readonly string[] },
): Promise<{ teamId: string }[]> {
  const { rows } = await sql<{ teamId: string }>`
    select a.team_id as "teamId" from ${ended(now)} and a.team_id <> all(${[...without]}::uuid[])
    order by a.period_end limit ${limit}`.execute(db)
  return rows
}
