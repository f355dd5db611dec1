/** `--wait`: follows the job an operation queued, then the sync, until both are done. */
import { ApiError, operationsById, type Operation, type OperationId, type OperationOf, type Result } from '@les/contract'
import { wordsOf } from './commands/names.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { printAnswer } from './output/print.ts'
import { progressLine } from './output/progress.ts'
import type { Answer, Session } from './session.ts'

type Json = Readonly<Record<string, unknown>>
type SyncStatus = Result<OperationOf<'getSourceSync'>>

/** What to wait for. */
export type Waiting = { readonly session: Session; readonly io: Io; readonly operation: Operation; readonly input: Json; readonly answer: Answer; readonly timeoutSeconds: number }

/** How the sync of a source is read when the answer does not name the source. */
const syncReaders: { readonly [Id in OperationId]?: SyncReader } = { enrichProfile: 'getProfileSync', enrichCompany: 'getCompanySync' }

const firstDelaySeconds = 1
const longestDelaySeconds = 10
/** Failed polls in a row after which waiting is given up. */
const patience = 5

/** True for operations whose answer names background work. */
export function canWait(operation: Operation): boolean {
  const shape = (operation.success as { shape?: Json }).shape ?? {}
  return operation.method !== 'GET' && ('jobId' in shape || 'syncId' in shape)
}

/** Polls until `isDone`, with growing pauses and no shorter than the service asks for; gives the last answer. */
async function poll<Value>(waiting: Waiting, deadline: number, resume: string, read: () => Promise<Answer<Value>>, isDone: (value: Value) => boolean): Promise<Answer<Value>> {
  const { io } = waiting
  const stopped = () => new Failure(exitCodes.interrupted, `stopped waiting; the work goes on: see ${resume}`)
  let delay = firstDelaySeconds
  let failed = 0
  for (;;) {
    let asked: number | undefined
    try {
      const answer = await read()
      if (isDone(answer.value)) return answer
      failed = 0
      asked = answer.raw.retryAfterSeconds
    } catch (error) {
      if (io.signal.aborted) throw stopped()
      const passing = error instanceof ApiError ? error.status >= 500 || error.status === 429 : error instanceof Failure
      if (!passing || ++failed >= patience) throw error
      asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
    }
    const pauseMs = Math.max(delay, asked ?? 0) * 1000
    if (io.now() + pauseMs > deadline) throw new Failure(exitCodes.jobFailed, `not done after ${waiting.timeoutSeconds} s; the work goes on: see ${resume}`)
    await io.sleep(pauseMs, io.signal).catch(() => {
      throw stopped()
    })
    delay = Math.min(delay * 2, longestDelaySeconds)
  }
}

/** The progress line of a terminal; silent elsewhere. */
function progressOn(io: Io): { show: (line: string) => void; end: () => void } {
  if (!io.stderr.isTty) return { show: () => {}, end: () => {} }
  return { show: (line) => io.stderr.write(`\r\u001b[K${line.slice(0, io.stderr.columns - 1)}`), end: () => io.stderr.write('\r\u001b[K') }
}

type SyncReader = 'getSourceSync' | 'getProfileSync' | 'getCompanySync'
type SyncToFollow = { readonly operation: SyncReader; readonly key: string }

function syncToFollow({ operation, input, answer }: Waiting): SyncToFollow | undefined {
  if (typeof answer.value.syncId !== 'string') return undefined
  if (typeof answer.value.sourceId === 'string') return { operation: 'getSourceSync', key: answer.value.sourceId }
  const reader = (syncReaders as Readonly<Record<string, SyncReader | undefined>>)[operation.id]
  return reader && typeof input.username === 'string' ? { operation: reader, key: input.username } : undefined
}

/** Waits for the job and the sync of an answer and prints the last status. Refuses with exit code 8 when either failed or took too long. */
export async function waitForEnd(waiting: Waiting): Promise<void> {
  const { session, io, answer } = waiting
  const deadline = io.now() + waiting.timeoutSeconds * 1000
  const progress = progressOn(io)
  let last = answer.raw
  try {
    const { jobId } = answer.value
    if (typeof jobId === 'string') {
      progress.show(`waiting for job ${jobId}`)
      const job = await poll(waiting, deadline, `les jobs get ${jobId}`, () => session.ask('getJobStatus', { jobId }), (value) => value.status === 'completed' || value.status === 'failed')
      last = job.raw
      if (job.value.status === 'failed') throw new Failure(exitCodes.jobFailed, `the job failed: ${job.value.error?.error ?? 'no reason was given'}`)
    }
    const sync = syncToFollow(waiting)
    if (sync) {
      const { operation, key } = sync
      const read = (): Promise<Answer<SyncStatus>> => (operation === 'getSourceSync' ? session.ask(operation, { id: key }) : session.ask(operation, { username: key }))
      const resume = `les ${wordsOf(operationsById[operation]).join(' ')} ${key}`
      const status = await poll(waiting, deadline, resume, read, (value) => {
        progress.show(progressLine(value))
        return value.isFinal
      })
      last = status.raw
      if (status.value.state === 'failed') throw new Failure(exitCodes.jobFailed, `the sync failed: ${status.value.error ?? status.value.errorCode ?? 'no reason was given'}`)
      if (status.value.state === 'untracked') throw new Failure(exitCodes.jobFailed, 'the source was untracked while it synced')
    }
  } finally {
    progress.end()
    printAnswer(last, session.options, io)
  }
}
