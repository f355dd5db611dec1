/** What a unit of work locks before it writes for a run, and whether the run is still ours to write. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readTeam, teamIsServed as isServed, type Team } from '../accounts/index.ts'
import { lockAccount, lockAgentTrialForSources, shareAccount, type LockedAccount } from '../credits/index.ts'
import { lockRun, releaseRun, type Run, findPayer, lockSource, type Source } from '../sources/index.ts'
import { endRun } from './ending.ts'

/** What a page's unit of work has locked, in lock order (account, source, run), and its team. */
export type Locked = {
  readonly account: LockedAccount
  readonly source: Source
  readonly run: Run
  readonly team: Team
}

type LockHow = { readonly paysFrom?: Source['paysFrom']; readonly sharing?: boolean }

/** True when the balance is the run's only bound that the team's other runs can move. */
const bindsAlone = ({ policy }: Run): boolean =>
  policy.stores === 'leads' && !policy.bounds.some(({ of }) => of === 'team_day' || of === 'team_rows')

/** True while the team has an active subscription or an unexpired trial, by service time (G129). */
export async function teamIsServed(tx: Tx, teamId: string): Promise<boolean> {
  const team = await readTeam(tx.db, teamId)
  return team !== null && isServed(team, tx.now)
}

/**
 * Locks account, source and run; `paysFrom` is the payer as read earlier. Undefined when the run is not ours to write; a run of a
 * lapsed team or an untracked source is ended here, and nothing is written for a closed team.
 */
export async function lockForPage(tx: Tx, claimed: Run, how: LockHow = {}): Promise<Locked | undefined> {
  const { teamId, sourceId } = claimed
  const paysFrom = how.paysFrom ?? (await findPayer(tx.db, { teamId, id: sourceId }))
  const lock = paysFrom === 'agent_trial' ? lockAgentTrialForSources : lockAccount
  const sharing = how.sharing === true && paysFrom === 'team' && bindsAlone(claimed)
  const account = await (sharing ? shareAccount : lock)(tx, teamId, paysFrom)
  const source = await lockSource(tx, teamId, { id: sourceId })
  const run = await lockRun(tx, claimed)
  // With another payer, the run was ended with its source, and another one begun.
  if (!source || !run || source.paysFrom !== paysFrom) return undefined
  const team = await readTeam(tx.db, teamId)
  if (team?.closedAt) {
    // It stays as it is, and goes on when the team is restored.
    await releaseRun(tx, run)
    return undefined
  }
  if (source.status === 'active' && team && isServed(team, tx.now)) return { account, source, run, team }
  await endRun(
    tx,
    run,
    source.status === 'inactive'
      ? { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null }
      : {
          state: 'failed',
          stoppedBy: null,
          errorCode: 'subscription_inactive',
          errorText: 'The team has no active subscription',
        },
  )
  return undefined
}
