/** The last lines of a log as they may be handed out: known fields with values of one word, and of PostgreSQL's what is no row. */
import { open } from 'node:fs/promises'
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

/** Where an error arose: its name and the lines of its stack, without what it said. */
function placeOf(error: unknown, clean: Redact): Record<string, unknown> {
  const { name, stack } = (error ?? {}) as { name?: unknown; stack?: unknown }
  return {
    ...(typeof name === 'string' && oneWord.test(name) ? { name } : {}),
    ...(typeof stack === 'string'
      ? {
          at: stack
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line.startsWith('at '))
            .slice(0, 12)
            .map(clean),
        }
      : {}),
  }
}

/** One line of the service's log; null for what is none. What follows a colon in its message is somebody else's text. */
export function safeLine(line: string, clean: Redact): Record<string, unknown> | null {
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
    msg: clean(read.msg.split(':')[0]!.slice(0, 200)),
    ...(read.error === undefined ? {} : { error: placeOf(read.error, clean) }),
  }
}

/**
 * The lines of PostgreSQL's log that tell of the server: what is in quotes or parentheses may be of a row, and so may
 * details and statements.
 */
export const safePostgresLine = (line: string, clean: Redact): string | null =>
  /\b(?:LOG|WARNING|ERROR|FATAL|PANIC): {2}/.test(line) && !/: {2}(?:statement|execute|duration)/.test(line)
    ? clean(line.replace(/"[^"]*"/g, '"…"').replace(/'[^']*'/g, "'…'")).slice(0, 300)
    : null

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
