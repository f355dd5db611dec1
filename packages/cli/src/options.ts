/** The options every command takes, and what they make of the `Io`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { bare, bareEnvironment } from './environment.ts'
import type { Io, Sink } from './io.ts'
import { visible } from './output/text.ts'

export type GlobalOptions = {
  /** Absent: rows. Empty: the whole answer. Else the fields wanted. */
  readonly json?: string
  readonly jq?: string
  readonly profile?: string
  readonly baseUrl?: string
  readonly idempotencyKey?: string
  readonly timeout?: number
  readonly yes?: boolean
  // Of single commands.
  readonly showSecret?: boolean
  readonly csv?: boolean
  readonly output?: string
  readonly wait?: boolean
}

/** Seconds of `--timeout` when it is not given: of a request, and of waiting for work. */
export const defaultSeconds = { request: 60, waiting: 3_600 } as const

/** The `Io` of a command, and how much it says. */
export type Shell = Io & {
  readonly quiet: boolean
  readonly debug: boolean
  /** Standard output for text in colours, whose parts were made harmless already. */
  readonly painted: Sink
  /** There is somebody to ask, and asking is allowed. */
  readonly mayAsk: boolean
}

/** A stream whose reader may be a terminal: what strangers wrote in an answer must not steer it. */
const harmless = (sink: Sink): Sink => ({
  write: (text) => sink.write(sink.isTty ? visible(text) : text),
  get isTty() {
    return sink.isTty
  },
  get columns() {
    return sink.columns
  },
})

/** Options that decide how everything is said are read before anything is: help and failures follow them too. */
export function settleShell(argv: readonly string[], io: Io): Shell {
  const end = argv.indexOf('--')
  const given = new Set(end < 0 ? argv : argv.slice(0, end))
  const settings = bareEnvironment(io.env)
  const env = given.has('--no-color') ? { ...settings, NO_COLOR: '1' } : settings
  return {
    ...io,
    stdout: harmless(io.stdout),
    painted: io.stdout,
    env,
    quiet: given.has('--quiet'),
    debug: given.has('--debug'),
    // Looked at when it matters: standard input is opened by looking.
    get mayAsk() {
      return !given.has('--no-input') && io.stderr.isTty && io.stdin.isTty
    },
  }
}

/** Writes a note to standard error; silent with `--quiet`. */
export function printNote(shell: Shell, text: string): void {
  if (!shell.quiet) shell.stderr.write(`${text}\n`)
}

export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('must be a number of seconds')
  return seconds
}

/** An idempotency key that can be sent: a header takes plain characters alone. */
function parseIdempotencyKey(text: string): string {
  const key = bare(text)
  if (!/^[\x20-\x7e]*$/.test(key)) throw new InvalidArgumentError('must be letters, digits and plain signs')
  return key
}

export function addGlobalOptions(program: Command, defaultBaseUrl: string): void {
  program.option(
    '--json [fields]',
    "The service's answer as JSON, just as it came; or only the fields named, by commas. " +
      'Alone on a terminal it also lists the fields there are.',
  )
  program.option('--jq <filter>', 'The answer through a jq filter (built in); texts come without quotes.')
  program.option(
    '--profile <name>',
    'Use the key and the address of this profile (default: LES_PROFILE, else the current one).',
  )
  program.option(
    '--base-url <url>',
    `Address of the service (default: LES_BASE_URL, else the profile's, ` +
      `else that of a service started in this folder, else ${defaultBaseUrl}).`,
  )
  program.addOption(
    new Option(
      '--idempotency-key <key>',
      'Makes sending a change again safe: the first answer is replayed for 24 hours.',
    ).argParser(parseIdempotencyKey),
  )
  program.addOption(
    new Option(
      '--timeout <seconds>',
      `Give up on a request after so long (default: ${defaultSeconds.request}), ` +
        `and with --wait on waiting (default: ${defaultSeconds.waiting}).`,
    ).argParser(parseSeconds),
  )
  program.option('--yes', 'Do not ask before deleting or overwriting; never confirms spending.')
  program.option('--no-input', 'Never ask anything.')
  program.option('--no-color', 'No colours (also: NO_COLOR, TERM=dumb).')
  program.option('--quiet', 'Only data and failures: no notes, no progress.')
  program.option('--debug', 'Requests and answers on standard error, keys and secrets redacted.')
}
