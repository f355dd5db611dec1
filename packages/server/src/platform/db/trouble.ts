/** Tells outages, which are worth a retry, from wrong statements: by SQLSTATE, socket error code or, without either, message. */

/** `away`: unreachable or lost. `busy`: did not finish in time. `unwritable`: answers reads only. */
type DatabaseTrouble = 'away' | 'busy' | 'unwritable'

const bySqlState: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  // Connections (08), shutdown, crash, start-up and idle ends (57P01 to 57P05), idle transactions (25P03).
  [/^(?:08...|57P0[1-5]|25P03)$/, 'away'],
  // A full disk, a read-only server, a failing disk.
  [/^(?:53100|25006|58030)$/, 'unwritable'],
  // Out of connections, memory or other resources (53); statement or lock timeouts; conflicts after every retry.
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
  // A migration changed a table under a prepared statement; its connection is closed.
  [/^cached plan must not change result type$/, 'busy'],
  [/^timeout exceeded when trying to connect$|^Query read timeout$/, 'busy'],
  [
    /^Connection terminated|^Client (?:has encountered a connection error|was closed) and is not queryable|^Cannot use a pool after calling end|^driver has already been destroyed/,
    'away',
  ],
]

/** When copied rows fail on a node, Citus loses the SQLSTATE, so the message decides. */
const lostStates: readonly (readonly [RegExp, string])[] = [
  [/^deadlock detected$/, '40P01'],
  [/No space left on device$/, '53100'],
  [/^terminating connection /, '57P01'],
]

/** The SQLSTATE of an error, or its socket error code, or ''. */
export function stateOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (code === 'XX000') return lostStates.find(([words]) => words.test(message))?.[1] ?? code
  return typeof code === 'string' ? code : ''
}

/** The kind of outage; null for a wrong statement and for errors that are not the database's. */
export function databaseTrouble(error: unknown): DatabaseTrouble | null {
  if (!(error instanceof Error)) return null
  const code = stateOf(error)
  const state = bySqlState.find(([pattern]) => pattern.test(code))
  if (state) return state[1]
  // The socket file is missing while the embedded server is restarted.
  const isMissing = code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect'
  if (socketCodes.has(code) || isMissing) return 'away'
  return byWords.find(([pattern]) => pattern.test(error.message))?.[1] ?? null
}
