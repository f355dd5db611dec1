/**
 * Structured logs on standard error: JSON lines with the ids of the work they belong to, nothing secret, no bodies, no
 * addresses with keys in them.
 */
import { pino, type DestinationStream } from 'pino'
import { currentLogContext } from './log-context.ts'

/** Writes log lines. Fields are ids, names and numbers, never bodies, keys or tokens. */
export type Log = {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** The same log with fields on every line. */
  with(fields: Readonly<Record<string, unknown>>): Log
}

const secretShaped =
  /cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|Bearer\s+\S+|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}/g

/** An address of anybody's: what stands before or behind its host may be a secret. */
const address = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#@"'<>]*@)?([^\s/?#"'<>]+)([/?#][^\s"'<>]*)?/gi

/** More of a text is not logged: what somebody sent may be long, and is searched for secrets character by character. */
const longestText = 8_000

/** The head of a long text. What may be a secret cut in two goes whole: half of one looks like nothing. */
function bounded(text: string): string {
  if (text.length <= longestText) return text
  let end = longestText
  while (end > 0 && !/[\s"'<>]/.test(text[end - 1]!)) end -= 1
  return `${text.slice(0, end)}… (${text.length - end} characters more)`
}

/** Text, bounded, with anything that looks like a secret blanked out, and of addresses only scheme and host. */
export function redact(text: string): string {
  return bounded(text)
    .replace(secretShaped, '[redacted]')
    .replace(
      address,
      (_whole, scheme: string, host: string, rest?: string) =>
        `${scheme}${host}${rest === undefined || rest === '/' ? '' : '/…'}`,
    )
}

function safeFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (value instanceof Error)
        return [
          name,
          { name: value.name, message: redact(value.message), ...(value.stack ? { stack: redact(value.stack) } : {}) },
        ]
      return [name, typeof value === 'string' ? redact(value) : value]
    }),
  )
}

/** Standard error. A terminal that was closed takes no more lines, and must not end the service that is ending itself. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true })
  stream.on('error', () => {})
  return stream
}

/** Opens the log; `level` as pino knows it. */
export function openLog(level: string, destination?: DestinationStream): Log {
  const base = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? standardError(),
  )
  const wrap = (bound: Readonly<Record<string, unknown>>): Log => ({
    info: (message, fields = {}) =>
      base.info(safeFields({ ...currentLogContext(), ...bound, ...fields }), redact(message)),
    warn: (message, fields = {}) =>
      base.warn(safeFields({ ...currentLogContext(), ...bound, ...fields }), redact(message)),
    error: (message, fields = {}) =>
      base.error(safeFields({ ...currentLogContext(), ...bound, ...fields }), redact(message)),
    with: (fields) => wrap({ ...bound, ...fields }),
  })
  return wrap({})
}
