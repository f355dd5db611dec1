/** What other modules may do with Discover: start a run, see how it stands, list whom it found. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Caller } from '../accounts/index.ts'
import { lockAccount } from '../credits/index.ts'
import { end } from './adding.ts'
import { listAdded, type FoundPerson } from './people-store.ts'
import { cleanRequest, type RunRequest } from './rules/request.ts'
import { findDiscoverRun, insertDiscoverRun, markDeleted, type DiscoverRun } from './store.ts'

/** Starts a run, which a worker takes up at once. The caller has agreed to one credit for each of `maxInfluencers` people. */
export async function startDiscover(
  tx: Tx,
  caller: Pick<Caller, 'teamId'>,
  request: RunRequest & { readonly agentId?: string | null },
): Promise<{ readonly runId: string; readonly run: DiscoverRun }> {
  const { agentId, ...asked } = request
  const run = await insertDiscoverRun(tx, {
    teamId: caller.teamId,
    request: cleanRequest(asked),
    agentId: agentId ?? null,
  })
  return { runId: run.id, run }
}

/** A run as it stands; undefined when there is none or it was deleted. */
export const readDiscoverRun = (db: Reader, teamId: string, runId: string): Promise<DiscoverRun | undefined> =>
  findDiscoverRun(db, teamId, runId)

/** Whom a run has added, best average first; more while it is running. */
export const listFoundPeople = (db: Reader, teamId: string, runId: string): Promise<FoundPerson[]> =>
  listAdded(db, { teamId, id: runId })

/** Deletes a run, ending it when it is under way; what it added stays. False when there is none. */
export async function deleteDiscoverRun(tx: Tx, teamId: string, runId: string): Promise<boolean> {
  if ((await findDiscoverRun(tx.db, teamId, runId))?.agentId != null) await lockAccount(tx, teamId)
  const run = await markDeleted(tx, teamId, runId)
  if (!run) return false
  if (run.state === 'running')
    await end(tx, run, {
      state: 'failed',
      errorCode: 'deleted',
      errorText: 'The run was deleted while it was under way',
    })
  return true
}
