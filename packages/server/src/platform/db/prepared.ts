/**
 * Names of prepared statements. Background work repeats a few hundred statements for ever; without names the database spends more on
 * parsing and planning them than on answering. A connection keeps every name until it ends, so there are at most 400.
 */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { currentShard } from './shards.ts'

/**
 * Which statements of a pool get a name: those their code marks (`marked`), also those asked for the fifth time (`repeated`), all from
 * their first time on (`all`, for tests), or none (`none`, behind a pooler that lends a session to many).
 */
export type StatementNames = 'marked' | 'repeated' | 'all' | 'none'

const maxNames = 400
const maxTextLength = 20_000
/** Texts that are counted on their way to a fifth time; beyond this many, counting begins anew. */
const maxCounted = 5_000

const mark = '/* planned once */ '
const repeatedMark = '/* planned once repeated */ '

/** Marks a statement that takes longer to plan than to answer and whose plan is the same for all values: named from the first time on. */
export const plannedOnce = <T>(statement: RawBuilder<T>): RawBuilder<T> => sql`${sql.raw(mark)}${statement}`

/** As `plannedOnce`, for a text of which the caller writes a part, such as a filter: named from the fifth time on. */
export const plannedWhenOften = <T>(statement: RawBuilder<T>): RawBuilder<T> =>
  sql`${sql.raw(repeatedMark)}${statement}`

/** How often a text has to be asked before it gets a name. */
function timesToName(names: StatementNames, text: string): number {
  if (text.length > maxTextLength) return Number.POSITIVE_INFINITY
  if (names === 'all' || text.startsWith(mark)) return 1
  return names === 'repeated' || text.startsWith(repeatedMark) ? 5 : Number.POSITIVE_INFINITY
}

/** Names of statements by their text, for all connections of one pool. */
function openStatementNames(names: StatementNames): (text: string) => string | undefined {
  const counts = new Map<string, number>()
  const named = new Map<string, string>()
  return (text) => {
    const known = named.get(text)
    if (known !== undefined || named.size >= maxNames) return known
    const wanted = timesToName(names, text)
    if (wanted === Number.POSITIVE_INFINITY) return undefined
    const times = (counts.get(text) ?? 0) + 1
    if (times < wanted) {
      if (counts.size >= maxCounted) counts.clear()
      counts.set(text, times)
      return undefined
    }
    counts.delete(text)
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    named.set(text, name)
    return name
  }
}

/**
 * A migration by another process changed what a prepared `select *` answers: the connection would refuse it for ever, and is closed.
 * Neither the statement that meets it nor what is asked of the closed connection was carried out.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '0A000' && /cached plan/.test(error.message)) ||
    error.message === 'Client was closed and is not queryable')

/** The driver's `query` as it is passed through: it has a dozen forms, told apart at run time. */
type AnyQuery = (this: pg.Client, ...given: unknown[]) => never

/** The driver's client, naming statements; with `none` it also drops the names that callers give. */
export function namingClient(names: StatementNames): typeof pg.Client {
  const nameOf = openStatementNames(names)
  const plain = pg.Client.prototype.query as AnyQuery
  return class extends pg.Client {
    override query(...given: unknown[]): never {
      const [asked, values] = given
      if (names === 'none') {
        const hasName = typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked)
        return plain.apply(this, hasName ? [{ ...asked, name: undefined }, ...given.slice(1)] : given)
      }
      const name = given.length === 2 && typeof asked === 'string' && Array.isArray(values) ? nameOf(asked) : undefined
      if (name === undefined) return plain.apply(this, given)
      // A plan is for the tables of one shard.
      const answer: Promise<unknown> = plain.call(this, { name: `${name} ${currentShard()}`, text: asked, values })
      return answer.catch((error: unknown) => {
        if (isOutdated(error)) void this.end().catch(() => {})
        throw error
      }) as never
    }
  }
}
