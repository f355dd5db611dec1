/** What becomes of a run whose vendor failed. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { lockRun, savePostponed, type Run } from '../runs/index.ts'
import { goneText, lockSource, type Source } from '../sources/index.ts'
import { endRun } from './ending.ts'
import { retryAt } from './rules/retry.ts'

/** Puts a locked run off, or ends it: the network no longer has what it names, or has failed too often. */
export async function recordFailure(
  tx: Tx,
  { run, source }: { readonly run: Run; readonly source: Source },
  failure: ProviderFailure,
): Promise<void> {
  const dueAt =
    failure.held?.until ?? (failure.kind === 'not_found' ? null : retryAt(run.attempts, tx.now, failure.retryAfterMs))
  if (dueAt) return savePostponed(tx, run, { dueAt, waitsFor: failure.held?.reason ?? null })
  const errorText = failure.kind === 'not_found' ? goneText(source) : describeFailure(failure)
  await endRun(tx, run, { state: 'failed', stoppedBy: null, errorCode: 'provider_error', errorText })
}

/** The same for a run that was claimed, if it is still ours. */
export async function failOrPostpone(tx: Tx, claimed: Run, failure: ProviderFailure): Promise<void> {
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  if (source && run) await recordFailure(tx, { run, source }, failure)
}
