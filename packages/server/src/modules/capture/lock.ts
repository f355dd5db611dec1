/** What a unit of work that writes for a run locks first, and whether the run is still its own to write. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readTeam, teamIsServed as isServed, type Team } from '../accounts/index.ts'
import { lockAccount, lockForChecks, shareAccount, type LockedAccount } from '../credits/index.ts'
import { lockRun, releaseRun, type Run, findPayer, lockSource, type Source } from '../sources/index.ts'
import { endRun } from './ending.ts'

/** What a page's unit of work holds locked, in lock order (account, source, run), and the team it works for. */
export type Locked = {
  readonly account: LockedAccount
  readonly source: Source
  readonly run: Run
  readonly team: Team
}

/** What is known before a page is written, and whether the account may be shared with pages of other sources. */
type LockHow = { readonly paysFrom?: Source['paysFrom']; readonly sharing?: boolean }

/** True when nothing of the team but its balance binds the run: what its other runs take meanwhile does not move its bounds. */
const bindsAlone = ({ policy }: Run): boolean =>
  policy.stores === 'leads' && !policy.bounds.some(({ of }) => of === 'team_day' || of === 'team_rows')

/** True while the team has an active subscription or an unexpired trial, by service time (G129). */
export async function teamIsServed(tx: Tx, teamId: string): Promise<boolean> {
  const team = await readTeam(tx.db, teamId)
  return team !== null && isServed(team, tx.now)
}

/**
 * Locks account, source and run, of a source that paid from `paysFrom` when it was read last; undefined when the run is no longer ours
 * to write, and it is ended here when the team has lapsed. Nothing is written for a team that is closed.
 */
export async function lockForPage(tx: Tx, claimed: Run, how: LockHow = {}): Promise<Locked | undefined> {
  const { teamId, sourceId } = claimed
  const paysFrom = how.paysFrom ?? (await findPayer(tx.db, { teamId, id: sourceId }))
  const lock = paysFrom === 'agent_trial' ? lockForChecks : lockAccount
  const sharing = how.sharing === true && paysFrom === 'team' && bindsAlone(claimed)
  const account = await (sharing ? shareAccount : lock)(tx, teamId, paysFrom)
  const source = await lockSource(tx, teamId, { id: sourceId })
  const run = await lockRun(tx, claimed)
  // Another payer since it was read: the run was ended with its source, and another one begun.
  if (!source || !run || source.paysFrom !== paysFrom) return undefined
  const team = await readTeam(tx.db, teamId)
  if (team?.closedAt) {
    // It rests as it is, and goes on where it stood when the team is restored.
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
