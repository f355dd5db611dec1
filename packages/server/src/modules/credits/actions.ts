/** Ledger use cases for other modules. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { allowanceChange, asOf, balanceOf, periodAt, renew, type Account } from './rules/renewal.ts'
import {
  findAccount,
  insertAccount,
  insertCharges,
  insertEntries,
  lockAccountRow,
  saveAccount,
  shareAccountRow,
  type AccountKey,
  type AccountName,
  type Charge,
} from './store.ts'

/** A new team's credits unless the operator sets them (G14). */
const defaultAllowance = { trial: 1_000, active: 10_000, expired: 0 } as const

export type LockedAccount = AccountKey & {
  /** For a shared account, as of the start of the unit; others may charge it meanwhile. */
  readonly balance: number
  readonly account: Account
  readonly shared: boolean
}

/** Others charged a shared account until too little was left: repeat the unit with the account locked. */
export class AccountOvertaken extends Error {
  constructor(teamId: string) {
    super(`the account of team ${teamId} was charged by others until it held too little`)
  }
}

/** An account is shared only above this balance: more than all pages under way usually cost. */
const ample = 2_000

/** Opens a team's account with its first allowance: monthly for paying teams, once for a trial (G14). */
export async function openAccount(
  tx: Tx,
  teamId: string,
  opening: { status: 'active' | 'trial' | 'expired'; allowance?: number | undefined },
): Promise<void> {
  const allowance = opening.allowance ?? defaultAllowance[opening.status]
  const { start, end } = periodAt(tx.now, tx.now)
  const period = { periodStart: start, periodEnd: opening.status === 'trial' ? null : end }
  await insertAccount(tx, { teamId, name: 'team' }, { key: 'grant:opening', allowance, period })
}

/** Locks a team's account; renews it when its period has ended (G14: by the first charge after the reset). */
export async function lockAccount(tx: Tx, teamId: string, name: AccountName = 'team'): Promise<LockedAccount> {
  const found = await lockAccountRow(tx, teamId, name)
  if (!found) throw new Error(`team ${teamId} has no credit account`)
  const renewal = renew(found, tx.now)
  const account = renewal?.account ?? found
  const locked = { teamId, name, account, balance: balanceOf(account), shared: false }
  if (!renewal) return locked
  const period = account.periodStart.toISOString()
  const entry = (kind: 'lapse' | 'grant', amount: number) => ({ key: `${kind}:${name}:${period}`, kind, amount })
  const lapse = renewal.lapsed > 0 ? [entry('lapse', -renewal.lapsed)] : []
  await insertEntries(tx, locked, [...lapse, entry('grant', renewal.granted)])
  await saveAccount(tx, locked, account)
  return locked
}

/**
 * Shares a team's account for a unit that charges little. Sharing units wait for one another only when they charge; a unit that
 * locks the account waits for all of them. Locks instead when the balance is not ample or the period has ended. After sharing, a
 * unit must not lock the account.
 */
export async function shareAccount(tx: Tx, teamId: string, name: AccountName): Promise<LockedAccount> {
  const found = await shareAccountRow(tx, { teamId, name }, ample)
  return found
    ? { teamId, name, account: found, balance: balanceOf(found), shared: true }
    : lockAccount(tx, teamId, name)
}

/**
 * Charges one credit per new key; returns how many. Too small a balance throws `AccountOvertaken` on a shared account; on a
 * locked account the caller must have checked it.
 */
export async function chargeAll(tx: Tx, locked: LockedAccount, charges: readonly Charge[]): Promise<number> {
  const { teamId, name } = locked
  // The trial agent's account has its own category, whatever the charge is for (G126).
  const named = name === 'agent_trial' ? charges.map((charge) => ({ ...charge, category: name })) : charges
  const charged = await insertCharges(tx, locked, named)
  if (charged !== 'short') return charged
  if (locked.shared) throw new AccountOvertaken(teamId)
  throw new Error(`team ${teamId}: ${charges.length} charges are more than its account holds`)
}

/** A team's figures at `now`, including a due renewal (G13). */
export async function readBalance(db: Reader, teamId: string, now: Date) {
  const found = await findAccount(db, teamId, 'team')
  if (!found) throw new Error(`team ${teamId} has no credit account`)
  const account = asOf(found, now)
  return {
    balance: balanceOf(account),
    used: account.periodUsed,
    limit: account.allowance,
    remaining: Math.max(0, account.allowance - account.periodUsed),
    periodStart: account.periodStart,
    nextReset: account.periodEnd,
  }
}

/** Sets the allowance from the current period on; spent credits stay spent. */
export async function setAllowance(tx: Tx, teamId: string, allowance: number): Promise<void> {
  const locked = await lockAccount(tx, teamId)
  const { account } = locked
  const { change, overspent } = allowanceChange(account, allowance)
  if (change !== 0) await insertEntries(tx, locked, [{ key: `adjust:${tx.newId()}`, kind: 'adjust', amount: change }])
  await saveAccount(tx, locked, { ...account, allowance, overspent, granted: account.granted + change })
}

/** Adds credits that do not lapse, once per key. */
export async function topUp(tx: Tx, teamId: string, { amount, key }: { amount: number; key: string }): Promise<void> {
  const locked = await lockAccount(tx, teamId)
  const { account } = locked
  if (await insertEntries(tx, locked, [{ key: `topup:${key}`, kind: 'topup', amount }]))
    await saveAccount(tx, locked, { ...account, granted: account.granted + amount })
}

/**
 * Applies a change of the team's status: a trial that subscribes, even after it ended, starts a paid month with the paid
 * allowance; a paying team put on trial stops renewing.
 */
export async function followStatus(
  tx: Tx,
  teamId: string,
  status: { from: 'active' | 'trial' | 'expired'; to: 'active' | 'trial' | 'expired' },
): Promise<void> {
  if (status.from === status.to) return
  const locked = await lockAccount(tx, teamId)
  const { account } = locked
  if (status.to === 'trial') return saveAccount(tx, locked, { ...account, periodEnd: null })
  if (status.to === 'expired' || account.periodEnd !== null) return
  const { start: periodStart, end: periodEnd } = periodAt(tx.now, tx.now)
  const allowance = Math.max(0, account.allowance - account.periodUsed)
  const anew = { anchorAt: tx.now, periodUsed: 0, overspent: 0, allowance, periodStart, periodEnd }
  await saveAccount(tx, locked, { ...account, ...anew })
  await setAllowance(tx, teamId, defaultAllowance.active)
}
