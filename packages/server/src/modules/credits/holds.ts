/**
 * Holds set credits aside during an outside read and are settled by its result. The only writer of `credit_hold`. A hold lowers
 * the balance at once, so that concurrent reads cannot spend the same credit. A crashed process's hold expires by service time.
 */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import { queryAll, queryValue } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { chargeAll, lockAccount, type LockedAccount } from './actions.ts'
import { saveAccount, type AccountName, type Charge } from './store.ts'

const holdMs = 300_000

type HoldOutcome = { readonly held: true; readonly id: string } | { readonly held: false; readonly balance: number }

/** Holds `amount` credits of a team, or returns the balance when it is too small. */
export async function holdCredits(tx: Tx, teamId: string, amount: number): Promise<HoldOutcome> {
  const locked = await lockAccount(tx, teamId)
  if (locked.balance < amount) return { held: false, balance: locked.balance }
  const id = tx.newId()
  const expiresAt = new Date(tx.now.getTime() + holdMs)
  await sql`
    insert into credit_hold (team_id, id, account, amount, expires_at)
    values (${teamId}, ${id}, ${locked.name}, ${amount}, ${expiresAt})`.execute(tx.db)
  await saveAccount(tx, locked, { ...locked.account, held: locked.account.held + amount })
  return { held: true, id }
}

const expired = (now: Date) => sql`credit_hold where expires_at <= ${now}`

/** True when a hold has expired. */
export const holdsExpired = (now: Date): Condition => sql<boolean>`exists (select 1 from ${expired(now)})`

async function endHold(tx: Tx, locked: LockedAccount, id: string): Promise<LockedAccount | undefined> {
  const amount = await queryValue<number>(tx.db)`
    delete from credit_hold where team_id = ${locked.teamId} and id = ${id} returning amount`
  if (amount === undefined) return undefined
  const account = { ...locked.account, held: locked.account.held - amount }
  await saveAccount(tx, locked, account)
  return { ...locked, account, balance: locked.balance + amount }
}

/** Releases a hold; does nothing when it is gone. */
export async function releaseHold(tx: Tx, teamId: string, id: string): Promise<void> {
  await endHold(tx, await lockAccount(tx, teamId), id)
}

/** Ends a hold and charges the read. If the hold has expired, the balance pays; `insufficient`: too small, nothing charged. */
export async function settleHold(
  tx: Tx,
  { teamId, id, charges }: { teamId: string; id: string; charges: readonly Charge[] },
): Promise<'settled' | 'insufficient'> {
  const locked = await lockAccount(tx, teamId)
  const freed = (await endHold(tx, locked, id)) ?? locked
  if (freed.balance < charges.length) return 'insufficient'
  const charged = await chargeAll(tx, freed, charges)
  if (charged !== charges.length) throw new Error(`hold ${id}: ${charges.length} charges came to ${charged}`)
  return 'settled'
}

/** Releases expired holds of crashed processes, team by team; returns how many. */
export function releaseExpiredHolds(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'release expired credit holds',
    find: (now, without) =>
      queryAll<{ teamId: string; id: string; account: AccountName }>(deps.db)`
        select team_id as "teamId", id, account from ${expired(now)} and team_id <> all(${[...without]}::uuid[])
        order by expires_at limit 500`,
    forTeam: async (teamId, holds) => {
      for (const { id, account } of holds)
        await deps.unitOfWork(async (tx) => {
          await endHold(tx, await lockAccount(tx, teamId, account), id)
        })
      return holds.length
    },
  })
}
