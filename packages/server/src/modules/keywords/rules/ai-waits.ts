/** How long a run waits for the AI that sifts its posts (AIF-10; G166, G171). */
import type { AiFailure } from '../../../providers/ai/port.ts'
import { retryAt } from '../../capture/rules/next-step.ts'
import type { Run } from '../../sources/index.ts'

const hourMs = 3_600_000
/** Of service time from its start: for a vendor that is away or cannot be read, and for the figure that AI filters may cost a day. */
const longest = { vendor: 6 * hourMs, cap: 24 * hourMs } as const
const mostUnreadable = 2

type Failed = Pick<AiFailure, 'kind' | 'held' | 'retryAfterMs'>

/**
 * When a question that failed is put again; null when the run ends: the key or the model is refused, it was tried often enough, or the
 * run has waited as long as it may. It is looked at once more when that time is over.
 */
export function aiDueAt(
  run: Pick<Run, 'attempts' | 'startedAt' | 'cursor'>,
  { kind, held, retryAfterMs }: Failed,
  now: Date,
): Date | null {
  const unreadable = run.cursor.phase === 'search' ? (run.cursor.unreadable ?? 0) : 0
  if (kind === 'key' || kind === 'model' || (kind === 'unreadable' && unreadable >= mostUnreadable)) return null
  const began = (run.startedAt ?? now).getTime()
  const endMs = began + (held?.reason === 'cap' ? longest.cap : longest.vendor)
  if (now.getTime() >= endMs) return null
  const dueAt = held?.until ?? retryAt(kind === 'unreadable' ? unreadable : run.attempts, now, retryAfterMs)
  return dueAt && new Date(Math.min(dueAt.getTime(), endMs))
}
