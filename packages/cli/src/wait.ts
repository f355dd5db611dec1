/** `--wait`: follows background work until it is done. */
import type { Entry } from './catalogue/entry.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure, isApiError, isPassing } from './failure.ts'
import { followOf, resumeCommand, workOf, type Follow } from './follow.ts'
import { defaultSeconds, type Shell } from './options.ts'
import { printAnswer } from './output/print.ts'
import type { Json } from './output/rows.ts'
import type { Answer, Session } from './session.ts'

export type Waiting = {
  readonly session: Session
  readonly shell: Shell
  readonly entry: Entry
  readonly input: Json
  readonly answer: Answer
}

const firstDelaySeconds = 1
const maxDelaySeconds = 10
const waitLimit = 5

/**
 * Repeats `read` until it returns true or `done` aborts; rejects at the `maxFailures`-th temporary failure in a row. It pauses
 * at least as long as the service asks.
 */
export async function repeat(
  read: () => Promise<boolean>,
  { shell, pauseMs, maxFailures, done }: { shell: Shell; pauseMs: number; maxFailures: number; done: AbortSignal },
): Promise<void> {
  for (let failures = 0; !done.aborted; ) {
    let askedMs = 0
    try {
      if (await read()) return
      failures = 0
    } catch (error) {
      if (done.aborted) return
      if (!isPassing(error) || ++failures >= maxFailures) throw error
      askedMs = isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    }
    await shell.sleep(Math.max(pauseMs, askedMs), done).catch(() => {})
  }
}

type Deadline = { readonly at: number; readonly seconds: number }

/** Polls until the work is done, with growing pauses; returns the last answer. */
async function poll(
  { session, shell }: Waiting,
  work: Follow,
  { deadline, show }: { readonly deadline: Deadline; readonly show: (line: string) => void },
): Promise<Answer> {
  const resume = resumeCommand(work)
  const stopped = () => new Failure(exitCodes.interrupted, `stopped waiting; the work goes on: see ${resume}`)
  let delay = firstDelaySeconds
  let failed = 0
  for (;;) {
    let asked: number | undefined
    try {
      const answer = await session.call(work.entry, work.input)
      show(work.progress(answer.value))
      if (work.isDone(answer.value)) return answer
      failed = 0
      asked = answer.raw.retryAfterSeconds
    } catch (error) {
      if (shell.signal.aborted) throw stopped()
      if (!isPassing(error) || ++failed >= waitLimit) throw error
      asked = isApiError(error) ? error.retryAfterSeconds : undefined
    }
    const pauseMs = Math.max(delay, asked ?? 0) * 1000
    if (shell.now() + pauseMs > deadline.at)
      throw new Failure(exitCodes.jobFailed, `not done after ${deadline.seconds} s; the work goes on: see ${resume}`)
    await shell.sleep(pauseMs, shell.signal).catch(() => {
      throw stopped()
    })
    delay = Math.min(delay * 2, maxDelaySeconds)
  }
}

const logEveryMs = 10_000

function progressInLog(shell: Shell): { show: (line: string) => void; end: () => void } {
  let [last, at] = ['', Number.NEGATIVE_INFINITY]
  return {
    show: (line) => {
      if (line === last || shell.now() - at < logEveryMs) return
      ;[last, at] = [line, shell.now()]
      shell.stderr.write(`${line}\n`)
    },
    end: () => {},
  }
}

function progressOn(shell: Shell): { show: (line: string) => void; end: () => void } {
  if (shell.quiet || shell.debug) return { show: () => {}, end: () => {} }
  if (!shell.stderr.isTty) return progressInLog(shell)
  return {
    show: (line) => shell.stderr.write(`\r\u001b[K${line.slice(0, shell.stderr.columns - 1)}`),
    end: () => shell.stderr.write('\r\u001b[K'),
  }
}

/** Waits for all work that an answer names and prints the last status; exit code 8 when it failed or took too long. */
export async function waitForEnd(waiting: Waiting): Promise<void> {
  const { session, shell, entry, input, answer } = waiting
  const seconds = session.options.timeout ?? defaultSeconds.waiting
  const deadline = { at: shell.now() + seconds * 1000, seconds }
  const progress = progressOn(shell)
  const own = followOf(entry, input)
  let last = { answer, entry }
  try {
    for (const work of own ? [own] : workOf(entry, input, answer.value)) {
      const isFirst = work === own && work.isDone(answer.value)
      const ended = isFirst ? answer : await poll(waiting, work, { deadline, show: progress.show })
      last = { answer: ended, entry: work.entry }
      const failure = work.failure(ended.value)
      if (failure !== undefined) throw new Failure(exitCodes.jobFailed, failure)
    }
  } finally {
    progress.end()
    await printAnswer(last.answer.raw.text, last.entry, { options: session.options, shell })
  }
}
