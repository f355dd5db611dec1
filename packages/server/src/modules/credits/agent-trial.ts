/**
 * The free trial agent's allowance: a second account of the ledger (G126). It pays for 1,000 people checked by the agent's
 * sources, plus a people search under way. It closes when the team subscribes. Lock order: team account, this account, sources.
 */
import { queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { lockAccount, type LockedAccount } from './actions.ts'
import { balanceOf } from './rules/renewal.ts'
import { findAccount, insertAccount, insertEntries, saveAccount, type EntryDraft } from './store.ts'

/** People a free trial's agent may check in total (specification «Limits»). */
const agentTrialPeople = 1_000

const name = 'agent_trial'

/** Locks the account, opening it on first use. The caller holds the team account's lock. */
export async function lockAgentTrial(tx: Tx, teamId: string): Promise<LockedAccount> {
  if (!(await findAccount(tx.db, teamId, name))) {
    const opening = {
      key: 'grant:agent_trial',
      allowance: agentTrialPeople,
      period: { periodStart: tx.now, periodEnd: null },
    }
    await insertAccount(tx, { teamId, name }, opening)
  }
  return await lockAccount(tx, teamId, name)
}

/** Locks the account for the agent's sources, without the team account. Their balance excludes grants for people searches. */
export async function lockAgentTrialForSources(tx: Tx, teamId: string): Promise<LockedAccount> {
  const locked = await lockAccount(tx, teamId, name)
  return { ...locked, balance: Math.min(locked.balance, agentTrialPeople - (await countAgentChecked(tx.db, teamId))) }
}

async function change(tx: Tx, locked: LockedAccount, entry: EntryDraft): Promise<void> {
  if (entry.amount === 0 || !(await insertEntries(tx, locked, [entry]))) return
  await saveAccount(tx, locked, { ...locked.account, granted: locked.account.granted + entry.amount })
}

/** Adds the most that a people search may cost, once per search. */
export async function grantAgentSearch(tx: Tx, teamId: string, search: { id: string; most: number }): Promise<void> {
  const key = `topup:agent_trial:${search.id}`
  await change(tx, await lockAgentTrial(tx, teamId), { key, kind: 'topup', amount: search.most })
}

const granted = (db: Reader, teamId: string, searchId: string) =>
  queryValue<number>(db)`
    select amount from credit_entry where team_id = ${teamId} and key = ${`topup:agent_trial:${searchId}`}`

/** True for a people search that this account pays for. */
export const isAgentSearch = async (db: Reader, teamId: string, searchId: string): Promise<boolean> =>
  (await granted(db, teamId, searchId)) !== undefined

/** Takes back what a finished search has not spent, once; does nothing for a search without a grant. */
export async function settleAgentSearch(tx: Tx, teamId: string, search: { id: string; found: number }): Promise<void> {
  const amount = await granted(tx.db, teamId, search.id)
  if (amount === undefined) return
  const locked = await lockAgentTrial(tx, teamId)
  const unspent = Math.min(amount - search.found, locked.balance)
  await change(tx, locked, { key: `lapse:agent_trial:${search.id}`, kind: 'lapse', amount: -unspent })
}

/** Closes the account when the team subscribes; the rest lapses. */
export async function closeAgentTrial(tx: Tx, teamId: string): Promise<void> {
  if (!(await findAccount(tx.db, teamId, name))) return
  const locked = await lockAccount(tx, teamId, name)
  await change(tx, locked, { key: 'lapse:agent_trial', kind: 'lapse', amount: -balanceOf(locked.account) })
}

/** How many people the agent's sources have checked on this account. */
export const countAgentChecked = async (db: Reader, teamId: string): Promise<number> =>
  (await queryValue<number>(db)`
    select count(*)::integer as checked from credit_entry
    where team_id = ${teamId} and account = ${name} and kind = 'charge' and source_id is not null`)!
