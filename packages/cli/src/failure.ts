import { readFileSync } from 'node:fs'
import type { ApiError } from '@les/contract'
import { CommanderError } from 'commander'
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'
import { colorsFor, plain } from './output/text.ts'

/** A command cannot continue; `message` is for people, `exitCode` for scripts. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Checked by name, since the class is loaded only when something is sent. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}

/** Why no answer came: the connection's error code, else the message. */
export const causeOf = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } }).cause?.code ?? (error as Error).message)

/** True when a later try may succeed: the service is busy, broken or unreachable. */
export function isPassing(error: unknown): boolean {
  if (isApiError(error)) return error.status >= 500 || error.status === 429
  return error instanceof Failure && error.exitCode === exitCodes.api
}

/** A wrong command line; nothing was sent. */
export function usage(message: string): Failure {
  return new Failure(exitCodes.usage, message)
}

/** A file that the command line names. */
export function readFile(name: string): Buffer {
  try {
    return readFileSync(name)
  } catch (error) {
    throw usage(`cannot read ${name}: ${(error as Error).message}`)
  }
}

/** The question was interrupted by Ctrl-C. */
export function stopped(): Failure {
  return new Failure(exitCodes.interrupted, 'stopped: nothing was changed')
}

const hints: Partial<Record<ExitCode, string>> = {
  [exitCodes.spendConfirmation]: 'Nothing was changed. Send the same command with --confirm-spend to go ahead.',
  [exitCodes.signIn]: 'Sign in with les auth login, or give the key of your team as LES_API_KEY.',
}

/** Writes a failure to standard error and returns its exit code. */
export function report(failure: unknown, io: Io): ExitCode {
  const { red, dim } = colorsFor(io.stderr, io.env)
  const write = (message: string, exitCode: ExitCode): ExitCode => {
    io.stderr.write(`${red('les:')} ${plain(message)}\n`)
    if (hints[exitCode] !== undefined) io.stderr.write(`${dim(hints[exitCode])}\n`)
    return exitCode
  }
  // Commander has already printed its own failures; a request for help is not a failure.
  if (failure instanceof CommanderError) return failure.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (io.signal.aborted)
    return write(failure instanceof Failure ? failure.message : 'interrupted', exitCodes.interrupted)
  if (failure instanceof Failure) return write(failure.message, failure.exitCode)
  if (isApiError(failure)) {
    const request = typeof failure.body.requestId === 'string' ? ` (request ${failure.body.requestId})` : ''
    return write(`${failure.message}${request}`, exitCodeOf(failure.status, failure.code))
  }
  return write(failure instanceof Error ? failure.message : String(failure), exitCodes.api)
}
