/** SQL of credits that are set aside: `credit_hold` is written here and nowhere else. */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import type { AccountName } from './store.ts'

/** Writes down credits that are set aside until an instant. */
export async function insertHold(
  tx: Tx,
  hold: { teamId: string; id: string; account: AccountName; amount: number; expiresAt: Date },
): Promise<void> {
  await tx.db
    .insertInto('credit_hold')
    .values({
      team_id: hold.teamId,
      id: hold.id,
      account: hold.account,
      amount: hold.amount,
      expires_at: hold.expiresAt,
    })
    .execute()
}

/** Removes a hold and answers its amount; undefined when it is gone: released, or run out. */
export async function deleteHold(tx: Tx, teamId: string, id: string): Promise<number | undefined> {
  const row = await tx.db
    .deleteFrom('credit_hold')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('amount')
    .executeTakeFirst()
  return row?.amount
}

/** SQL: `credit_hold` that have run out. */
const expired = (now: Date) => sql`credit_hold where expires_at <= ${now}`

/** True when some hold has run out. */
export const holdsExpired = (now: Date): Condition =>
  sql<boolean>`exists (select 1 from ${expired(now)} and team_id <> ${sampleTeamId}::uuid)`

/** Holds that have run out, the oldest first. */
export async function listExpiredHolds(
  db: Reader,
  { now, limit, without }: { readonly now: Date; readonly limit: number; readonly without: readonly string[] },
): Promise<{ teamId: string; id: string; account: AccountName }[]> {
  const { rows } = await sql<{
    teamId: string
    id: string
    account: AccountName
  }>`select team_id as "teamId", id, account from ${expired(now)} and team_id <> all(${[...without]}::uuid[])
    order by expires_at limit ${limit}`.execute(db)
  return rows
}
