/** The last lines of a log as they may be handed out: known fields with values of one word, and of PostgreSQL's what is no row. */
import { open } from 'node:fs/promises'
import type { FramesOf } from './frames.ts'
import type { Redact } from './redact.ts'

const mostBytes = 256 * 1024
const mostLines = 300

/** Fields of the service's log (docs/operations.md) whose values are ids, numbers and words of our own lists. */
const fields: readonly string[] = [
  'level',
  'time',
  'operation',
  'surface',
  'teamId',
  'kind',
  'sourceId',
  'runId',
  'jobId',
  'deliveryId',
  'task',
  'traceId',
  'status',
  'elapsedMs',
  'provider',
  'vendor',
  'outcome',
  'attempt',
  'cost',
  'percent',
  'balance',
  'trouble',
  'signal',
  'index',
  'table',
  'node',
]

const oneWord = /^[\w.:-]{1,64}$/
const errorName = /^[A-Z][A-Za-z]{0,63}$/

/** How a line is made harmless: texts are cleaned, and places looked for in the program. */
export type Reading = { readonly clean: Redact; readonly framesOf: FramesOf }

/** Where an error arose: its name and places of its stack, without what it said. */
function placeOf(error: unknown, { clean, framesOf }: Reading): Record<string, unknown> {
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown }
  return {
    ...(typeof name === 'string' && errorName.test(name) ? { name } : {}),
    ...(typeof stack === 'string' ? { at: framesOf(stack).map(clean) } : {}),
  }
}

/** One line of the service's log; null for what is none. What follows a colon in its message is somebody else's text. */
export function safeLine(line: string, reading: Reading): Record<string, unknown> | null {
  let read: Record<string, unknown>
  try {
    read = JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
  if (typeof read !== 'object' || read === null || typeof read.msg !== 'string') return null
  const kept = fields.flatMap((name) => {
    const value = read[name]
    const plain =
      typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && oneWord.test(value))
    return plain ? [[name, value] as const] : []
  })
  return {
    ...Object.fromEntries(kept),
    msg: reading.clean(read.msg.split(/[:\r\n]/)[0]!.slice(0, 200)),
    ...(read.error === undefined ? {} : { error: placeOf(read.error, reading) }),
  }
}

// Whatever somebody sent comes behind a mark of ours or in a line that goes on, which begins with a tab.
const ofServer =
  /^[\d .:-]{1,40} [A-Za-z+\d-]{1,8} \[\d{1,10}\] (?:LOG|WARNING|ERROR|FATAL|PANIC): {2}(?!statement|execute|duration|plan)/
// Numbers and paths of the server itself stand in parentheses of these forms; what begins another may be of a row.
const harmlessParentheses = /\((?:s|\d{1,3}(?:\.\d)?%)\)/g

/**
 * The lines of PostgreSQL's log that tell of the server. From the first quote or parenthesis on a message may be of a
 * row, which may hold quotes itself; and so may details and statements.
 */
export function safePostgresLine(line: string, { clean }: Pick<Reading, 'clean'>): string | null {
  if (!ofServer.test(line)) return null
  const whole = line.replace(harmlessParentheses, '')
  const plain = whole.split(/["'`(«»„“”‘’]/, 1)[0]!
  return clean(plain.length < whole.length ? `${plain}…` : plain).slice(0, 300)
}

/** The last lines of a file; none when it is not there. */
export async function lastLines(path: string): Promise<readonly string[]> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return []
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - mostBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, mostBytes)), 0, null, from)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    // The first of them may begin in the middle, where nothing of it can be recognised.
    return lines
      .slice(from > 0 ? 1 : 0)
      .filter((line) => line !== '')
      .slice(-mostLines)
  } finally {
    await file.close()
  }
}
