/** What a unit of work that writes for a run locks first, and whether the run is still its own to write. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readTeam, teamIsServed, type Team } from '../accounts/index.ts'
import { lockAccount, lockForChecks, shareAccount, type LockedAccount } from '../credits/index.ts'
import { lockRun, type Run, findPayer, lockSource, type Source } from '../sources/index.ts'
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

/**
 * Locks account, source and run, of a source that paid from `paysFrom` when it was looked at last; undefined when the run
 * is no longer ours to write, and it is ended here when the team has lapsed.
 */
export async function lockForPage(tx: Tx, claimed: Run, how: LockHow = {}): Promise<Locked | undefined> {
  const paysFrom = how.paysFrom ?? (await findPayer(tx.db, { teamId: claimed.teamId, id: claimed.sourceId }))
  const lock = paysFrom === 'agent_trial' ? lockForChecks : lockAccount
  const sharing = how.sharing === true && paysFrom === 'team' && bindsAlone(claimed)
  const account = await (sharing ? shareAccount : lock)(tx, claimed.teamId, paysFrom)
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  // Another payer since we looked: the run was ended with its source, and another one begun.
  if (!source || !run || source.paysFrom !== paysFrom) return undefined
  if (source.status === 'inactive') {
    await endRun(tx, run, { state: 'untracked', stoppedBy: null, errorCode: null, errorText: null })
    return undefined
  }
  const team = await readTeam(tx.db, claimed.teamId)
  if (!team || !teamIsServed(team, tx.now)) {
    await endRun(tx, run, {
      state: 'failed',
      stoppedBy: null,
      errorCode: 'subscription_inactive',
      errorText: 'The team has no active subscription',
    })
    return undefined
  }
  return { account, source, run, team }
}
