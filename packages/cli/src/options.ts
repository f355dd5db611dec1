import { type Command, InvalidArgumentError, Option } from 'commander'
import { cleanSetting, cleanEnvironment } from './environment.ts'
import type { Io, Sink } from './io.ts'
import { visible } from './output/text.ts'

export type GlobalOptions = {
  /** Undefined: rows. Empty: the whole answer. Otherwise the fields to print. */
  readonly json?: string
  readonly jq?: string
  readonly profile?: string
  readonly baseUrl?: string
  readonly idempotencyKey?: string
  readonly timeout?: number
  readonly yes?: boolean
  // Only some commands have these.
  readonly showSecret?: boolean
  readonly csv?: boolean
  readonly output?: string
  readonly wait?: boolean
}

/** Default `--timeout` in seconds, of a request and of waiting for work. */
export const defaultSeconds = { request: 60, waiting: 3_600 } as const

/** An `Io` with the settings for output. */
export type Shell = Io & {
  readonly quiet: boolean
  readonly debug: boolean
  /** Standard output for coloured text whose parts are already escaped. */
  readonly colouredStdout: Sink
  /** Someone can be asked, and `--no-input` is absent. */
  readonly mayAsk: boolean
}

/** Escapes control characters on a terminal: text from strangers must not steer it. */
const harmless = (sink: Sink): Sink => ({
  write: (text) => sink.write(sink.isTty ? visible(text) : text),
  get isTty() {
    return sink.isTty
  },
  get columns() {
    return sink.columns
  },
})

/** Reads the output options before commander parses anything, so that help and failures obey them too. */
export function settleShell(argv: readonly string[], io: Io): Shell {
  const end = argv.indexOf('--')
  const given = new Set(end < 0 ? argv : argv.slice(0, end))
  const settings = cleanEnvironment(io.env)
  const env = given.has('--no-color') ? { ...settings, NO_COLOR: '1' } : settings
  return {
    ...io,
    stdout: harmless(io.stdout),
    colouredStdout: io.stdout,
    env,
    quiet: given.has('--quiet'),
    debug: given.has('--debug'),
    // A getter, since checking a stream opens it.
    get mayAsk() {
      return !given.has('--no-input') && io.stderr.isTty && io.stdin.isTty
    },
  }
}

/** Writes a note to standard error, unless `--quiet`. */
export function printNote(shell: Shell, text: string): void {
  if (!shell.quiet) shell.stderr.write(`${text}\n`)
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('must be a number of seconds')
  return seconds
}

/** A header accepts printable ASCII only. */
function parseIdempotencyKey(text: string): string {
  const key = cleanSetting(text)
  if (!/^[\x20-\x7e]*$/.test(key)) throw new InvalidArgumentError('must be letters, digits and plain signs')
  return key
}

export function addGlobalOptions(program: Command, defaultBaseUrl: string): void {
  program.option(
    '--json [fields]',
    'Print the response as unchanged JSON, or only the given fields, separated by commas. Without fields, a ' +
      'terminal also shows the list of fields.',
  )
  program.option('--jq <filter>', 'Filter the response with jq (built in); strings are printed without quotes.')
  program.option(
    '--profile <name>',
    'Use the key and URL of this profile (default: LES_PROFILE, otherwise the current profile).',
  )
  program.option(
    '--base-url <url>',
    "URL of the service (default: LES_BASE_URL, otherwise the profile's, otherwise that of a service started in " +
      `this folder, otherwise ${defaultBaseUrl}).`,
  )
  program.addOption(
    new Option(
      '--idempotency-key <key>',
      'Makes repeating a write safe: the first response is replayed for 24 hours.',
    ).argParser(parseIdempotencyKey),
  )
  program.addOption(
    new Option(
      '--timeout <seconds>',
      `Timeout of a request (default: ${defaultSeconds.request}), and with --wait of the waiting (default: ` +
        `${defaultSeconds.waiting}).`,
    ).argParser(parseSeconds),
  )
  program.option('--yes', 'Do not ask before deleting or overwriting; never confirms spending.')
  program.option('--no-input', 'Never ask anything.')
  program.option('--no-color', 'No colours (also: NO_COLOR, TERM=dumb).')
  program.option('--quiet', 'Print only data and errors: no notes, no progress.')
  program.option('--debug', 'Print requests and responses to standard error, with keys and secrets redacted.')
}
