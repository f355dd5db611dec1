/** What becomes of a keyword run whose vendor, or whose AI, fails. */
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { AiFailure } from '../../providers/ai/port.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { endRun, retryAt } from '../capture/index.ts'
import { lockRun, savePostponed, type Run, type WaitsFor, lockSource } from '../sources/index.ts'
import { aiDueAt } from './rules/ai-waits.ts'

/** Ends a run whose AI filter cannot be asked. */
export const endForAi = (tx: Tx, run: Run, errorText: string): Promise<void> =>
  endRun(tx, run, { state: 'failed', stoppedBy: 'ai_error', errorCode: 'ai_error', errorText })

/** What a run waits for; an AI vendor's key or money is no matter of waiting: it ends the run. */
function waitsFor({ held }: AiFailure): WaitsFor | null {
  if (!held) return null
  return held.reason === 'cap' ? 'ai_cap' : held.reason === 'rate' ? 'ai_rate' : 'ai_away'
}

/** Puts a run off, or ends it, for a failure of a vendor or of the AI. */
export async function failOrPostpone(
  unitOfWork: UnitOfWork,
  claimed: Run,
  failure: ProviderFailure | AiFailure,
): Promise<void> {
  await unitOfWork(async (tx) => {
    const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
    const run = await lockRun(tx, claimed)
    if (!source || !run) return
    if (failure instanceof AiFailure) return failForAi(tx, run, failure)
    const dueAt = failure.held?.until ?? retryAt(run.attempts, tx.now, failure.retryAfterMs)
    if (dueAt) return savePostponed(tx, run, { dueAt, waitsFor: failure.held?.reason ?? null })
    await endRun(tx, run, {
      state: 'failed',
      stoppedBy: 'error',
      errorCode: 'provider_error',
      errorText: describeFailure(failure),
    })
  })
}

/** The same for the AI, which no run waits for longer than `aiDueAt` says. */
async function failForAi(tx: Tx, run: Run, failure: AiFailure): Promise<void> {
  const dueAt = aiDueAt(run, failure, tx.now)
  if (!dueAt) return endForAi(tx, run, failure.message)
  const { cursor } = run
  await savePostponed(tx, run, {
    dueAt,
    waitsFor: waitsFor(failure),
    ...(failure.kind === 'unreadable' && cursor.phase === 'search'
      ? { cursor: { ...cursor, unreadable: (cursor.unreadable ?? 0) + 1 } }
      : {}),
  })
}
