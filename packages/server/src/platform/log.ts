import { pino, type DestinationStream } from 'pino'
import { currentLogContext } from './log-context.ts'

/** Writes JSON lines to standard error, with the ids of the current work. Fields are never bodies, keys or tokens. */
export type Log = {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  with(fields: Fields): Log
}

type Fields = Readonly<Record<string, unknown>>

const secretShaped =
  /cs_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/=]{20,}|Bearer\s+\S+|\bsk-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}/g

/** Credentials, path and query of a URL may be secret. */
const address = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s/?#@"'<>]*@)?([^\s/?#"'<>]+)([/?#][^\s"'<>]*)?/gi

/** Redaction scans every character, and outside texts may be very long. */
const longestText = 8_000

/** Cuts at a word boundary: half a secret would not be recognised. */
function bounded(text: string): string {
  if (text.length <= longestText) return text
  let end = longestText
  while (end > 0 && !/[\s"'<>]/.test(text[end - 1]!)) end -= 1
  return `${text.slice(0, end)}… (${text.length - end} characters more)`
}

/** Bounds a text, blanks out what looks like a secret, and reduces URLs to scheme and host. */
export function redact(text: string): string {
  return bounded(text)
    .replace(secretShaped, '[redacted]')
    .replace(
      address,
      (_whole, scheme: string, host: string, rest?: string) =>
        `${scheme}${host}${rest === undefined || rest === '/' ? '' : '/…'}`,
    )
}

function safeValue(value: unknown): unknown {
  if (!(value instanceof Error)) return typeof value === 'string' ? redact(value) : value
  const { name, message, stack } = value
  return { name, message: redact(message), ...(stack ? { stack: redact(stack) } : {}) }
}

const safeFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safeValue(value)]))

/** Errors are ignored: a closed terminal must not crash a service that is shutting down. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true })
  stream.on('error', () => {})
  return stream
}

/** Opens the log; `level` is one of pino's levels. */
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
  const wrap = (bound: Fields): Log => {
    const at =
      (severity: 'info' | 'warn' | 'error') =>
      (message: string, fields: Fields = {}) =>
        base[severity](safeFields({ ...currentLogContext(), ...bound, ...fields }), redact(message))
    return { info: at('info'), warn: at('warn'), error: at('error'), with: (fields) => wrap({ ...bound, ...fields }) }
  }
  return wrap({})
}
