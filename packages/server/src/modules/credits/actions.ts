/** Ledger use cases for other modules. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { periodAt } from './rules/renewal.ts'
import { allowanceChange, asOf, balanceOf, renew, type Account } from './rules/renewal.ts'
import {
  findAccount,
  insertAccount,
  insertCharges,
  insertEntries,
  lockAccountRow,
  saveAccount,
  shareAccountRow,
  type AccountName,
  type Charge,
} from './store.ts'

/** A new team's credits unless the operator sets them (G14). */
const defaultAllowance = { trial: 1_000, active: 10_000, expired: 0 } as const

/** An account locked or shared until the unit ends. */
export type LockedAccount = {
  readonly teamId: string
  readonly name: AccountName
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
  const period = periodAt(tx.now, tx.now)
  await insertAccount(tx, {
    teamId,
    name: 'team',
    account: {
      granted: allowance,
      spent: 0,
      held: 0,
      allowance,
      periodUsed: 0,
      overspent: 0,
      anchorAt: tx.now,
      periodStart: period.start,
      periodEnd: opening.status === 'trial' ? null : period.end,
    },
  })
  await insertEntries(tx, {
    teamId,
    name: 'team',
    entries: [{ key: 'grant:opening', kind: 'grant', amount: allowance }],
  })
}

/** Locks a team's account; renews it when its period has ended (G14: by the first charge after the reset). */
export async function lockAccount(tx: Tx, teamId: string, name: AccountName = 'team'): Promise<LockedAccount> {
  const found = await lockAccountRow(tx, teamId, name)
  if (!found) throw new Error(`team ${teamId} has no credit account`)
  const renewal = renew(found, tx.now)
  if (!renewal) return { teamId, name, account: found, balance: balanceOf(found), shared: false }
  const period = renewal.account.periodStart.toISOString()
  const entry = (kind: 'lapse' | 'grant', amount: number) => ({ key: `${kind}:${name}:${period}`, kind, amount })
  await insertEntries(tx, {
    teamId,
    name,
    entries: [...(renewal.lapsed > 0 ? [entry('lapse', -renewal.lapsed)] : []), entry('grant', renewal.granted)],
  })
  await saveAccount(tx, { teamId, name, account: renewal.account })
  return { teamId, name, account: renewal.account, balance: balanceOf(renewal.account), shared: false }
}

/**
 * Shares a team's account for a unit that charges little. Sharing units wait for one another only when they charge; a unit that
 * locks the account waits for all of them. Locks instead when the balance is not ample or the period has ended. After sharing, a
 * unit must not lock the account.
 */
export async function shareAccount(tx: Tx, teamId: string, name: AccountName): Promise<LockedAccount> {
  const found = await shareAccountRow(tx, { teamId, name, ample })
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
  const charged = await insertCharges(tx, {
    teamId,
    name,
    // The trial agent's account has its own category, whatever the charge is for (G126).
    charges: name === 'agent_trial' ? charges.map((charge) => ({ ...charge, category: name })) : charges,
  })
  if (charged !== 'short') return charged
  if (locked.shared) throw new AccountOvertaken(teamId)
  throw new Error(`team ${teamId}: ${charges.length} charges are more than its account holds`)
}

type Balance = {
  readonly balance: number
  readonly used: number
  readonly limit: number
  readonly remaining: number
  readonly periodStart: Date
  readonly nextReset: Date | null
}

/** A team's figures at `now`, including a due renewal (G13). */
export async function readBalance(db: Reader, teamId: string, now: Date): Promise<Balance> {
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
  const { account } = await lockAccount(tx, teamId)
  const { change, overspent } = allowanceChange(account, allowance)
  if (change !== 0)
    await insertEntries(tx, {
      teamId,
      name: 'team',
      entries: [{ key: `adjust:${tx.newId()}`, kind: 'adjust', amount: change }],
    })
  await saveAccount(tx, {
    teamId,
    name: 'team',
    account: { ...account, allowance, overspent, granted: account.granted + change },
  })
}

interface TopUp {
  readonly amount: number
  readonly key: string
}

/** Adds credits that do not lapse, once per key. */
export async function topUp(tx: Tx, teamId: string, { amount, key }: TopUp): Promise<void> {
  const { account } = await lockAccount(tx, teamId)
  const added = await insertEntries(tx, {
    teamId,
    name: 'team',
    entries: [{ key: `topup:${key}`, kind: 'topup', amount }],
  })
  if (added) await saveAccount(tx, { teamId, name: 'team', account: { ...account, granted: account.granted + amount } })
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
  const { account } = await lockAccount(tx, teamId)
  if (status.to === 'trial') return saveAccount(tx, { teamId, name: 'team', account: { ...account, periodEnd: null } })
  if (status.to === 'expired' || account.periodEnd !== null) return
  const period = periodAt(tx.now, tx.now)
  await saveAccount(tx, {
    teamId,
    name: 'team',
    account: {
      ...account,
      anchorAt: tx.now,
      periodUsed: 0,
      overspent: 0,
      allowance: Math.max(0, account.allowance - account.periodUsed),
      periodStart: period.start,
      periodEnd: period.end,
    },
  })
  await setAllowance(tx, teamId, defaultAllowance.active)
}
