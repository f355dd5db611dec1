/**
 * Trouble of the database itself, as opposed to a statement that is wrong: it passes, so callers are asked to try again and work is
 * put off. Judged by SQLSTATE, by the code of a socket's error, and, where the driver gives neither, by its words.
 */

/**
 * `away`: not reachable, or lost on the way. `busy`: reachable, but it did not come to an end in time. `unwritable`: it
 * answers reads alone.
 */
type DatabaseTrouble = 'away' | 'busy' | 'unwritable'

const bySqlState: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  // Connections (08), shutdown, crash, start-up and idle ends (57P01 to 57P05), a transaction that idled too long (25P03).
  [/^(?:08...|57P0[1-5]|25P03)$/, 'away'],
  // A full disk, a server that only reads, a disk that fails.
  [/^(?:53100|25006|58030)$/, 'unwritable'],
  // Out of connections, of memory or of another resource (53); a statement or a lock that took too long; conflicts left after every try.
  [/^(?:53...|57014|55P03|40P01|40001)$/, 'busy'],
]

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const byWords: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  // A migration changed a table under a prepared statement: its connection is closed, another one asks anew.
  [/^cached plan must not change result type$/, 'busy'],
  [/^timeout exceeded when trying to connect$|^Query read timeout$/, 'busy'],
  [
    /^Connection terminated|^Client (?:has encountered a connection error|was closed) and is not queryable|^Cannot use a pool after calling end|^driver has already been destroyed/,
    'away',
  ],
]

/** What rows that Citus copies to a node fail with there arrives without its SQLSTATE: the words of what passes say which it was. */
const lostStates: readonly (readonly [RegExp, string])[] = [
  [/^deadlock detected$/, '40P01'],
  [/No space left on device$/, '53100'],
  [/^terminating connection /, '57P01'],
]

/** The SQLSTATE of an error, or the code of a socket's; empty without either. */
export function stateOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (code === 'XX000') return lostStates.find(([words]) => words.test(message))?.[1] ?? code
  return typeof code === 'string' ? code : ''
}

/** What kind of trouble an error tells of; null for one that is about the statement or has nothing to do with the database. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  if (!(error instanceof Error)) return null
  const code = stateOf(error)
  const state = bySqlState.find(([pattern]) => pattern.test(code))
  if (state) return state[1]
  // A socket file that is not there: the embedded server is being brought back.
  const isMissing = code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'
  if (socketCodes.has(code) || isMissing) return 'away'
  return byWords.find(([pattern]) => pattern.test(error.message))?.[1] ?? null
}
