/** What a unit of work that writes for a run locks first, and whether the run is still its own to write. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { readTeam, teamIsServed, type Team } from '../accounts/index.ts'
import { lockAccount, lockForChecks, shareAccount, type LockedAccount } from '../credits/index.ts'
import { findLeasedRun, lockRun, type Run } from '../runs/index.ts'
import { findPayer, lockSource, shareSource, type Source } from '../sources/index.ts'
import { endRun } from './ending.ts'

/** What a page's unit of work holds locked, in lock order (account, source, run), and the team it works for. */
export type Locked = {
  readonly account: LockedAccount
  readonly source: Source
  readonly run: Run
  readonly team: Team
  /**
   * Of a unit that writes beside others of the run: the room that they need together. Source and account are shared then, and the run
   * is as it was read, not locked. Null where everything is locked.
   */
  readonly beside: number | null
}

/** A unit beside others of its run cannot be written so: others took what there was room for, or the run is not ours alone any more. */
export class NotBeside extends Error {
  constructor(run: Pick<Run, 'id'>) {
    super(`run ${run.id}: this page is written by itself`)
  }
}

/** What is known before a page is written, and whether the account may be shared with pages of other sources. */
export type LockHow = { readonly paysFrom?: Source['paysFrom']; readonly sharing?: boolean }

/** Nothing of the team but its balance binds the run: what other runs take meanwhile is no matter of its bounds. */
const bindsAlone = ({ policy }: Run): boolean =>
  policy.stores === 'leads' && !policy.bounds.some(({ of }) => of === 'team_day' || of === 'team_rows')

/**
 * Locks account, source and run, of a source that paid from `paysFrom` when it was looked at last; undefined when the run
 * is no longer ours to write, and it is ended here when the team has lapsed.
 */
export async function lockForPage(tx: Tx, claimed: Run, how: LockHow = {}): Promise<Locked | undefined> {
  const paysFrom = how.paysFrom ?? (await findPayer(tx.db, { teamId: claimed.teamId, id: claimed.sourceId }))
  const sharing = how.sharing === true && paysFrom === 'team' && bindsAlone(claimed)
  const lock = paysFrom === 'agent_trial' ? lockForChecks : lockAccount
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
  return { account, source, run, team, beside: null }
}

/** A ceiling on what the team may store at all is counted over all its rows, under the lock of its account. */
const countsRowsOfTeam = ({ policy }: Run, team: Team): boolean =>
  team.leadCap !== null && policy.bounds.some(({ of }) => of === 'team_rows')

/**
 * What a unit holds that writes beside others of its run: account and source shared, so that nobody else moves the source, its runs or
 * its leads meanwhile, and the run under its fence. Where anything speaks against it, `NotBeside`: a unit by itself is to see to it.
 */
export async function shareForPage(tx: Tx, claimed: Run, needed: number): Promise<Locked> {
  const account = await shareAccount(tx, claimed.teamId, 'team')
  const source = await shareSource(tx, { teamId: claimed.teamId, id: claimed.sourceId })
  const run = await findLeasedRun(tx.db, claimed)
  const team = await readTeam(tx.db, claimed.teamId)
  const goesOn =
    source?.status === 'active' && source.paysFrom === 'team' && team !== null && teamIsServed(team, tx.now)
  if (!goesOn || !run || countsRowsOfTeam(run, team)) throw new NotBeside(claimed)
  return { account, source, run, team, beside: needed }
}

/** The run as it stands, locked: a unit beside others asks when all but the run is written, and is undone when it was overtaken. */
export async function runNow(tx: Tx, { run, beside }: Locked): Promise<Run> {
  if (beside === null) return run
  const now = await lockRun(tx, run)
  if (!now) throw new NotBeside(run)
  return now
}
