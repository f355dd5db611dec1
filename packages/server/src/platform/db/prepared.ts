/** Prepared statements spare PostgreSQL planning the same statements again. Connections keep them until they end: at most 400. */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { currentShard } from './shards.ts'

/** Statements that get names: `marked` ones, `repeated` also those asked five times, `all` (tests), `none` (behind a pooler). */
export type StatementNames = 'marked' | 'repeated' | 'all' | 'none'

const maxNames = 400
const maxTextLength = 20_000
/** Texts counted towards their fifth time; when full, counting restarts. */
const maxCounted = 5_000

const mark = '/* planned once */ '
const repeatedMark = '/* planned once repeated */ '

/** Marks a statement that is slower to plan than to run, with one plan for all values: named from its first time. */
export const plannedOnce = <T>(statement: RawBuilder<T>): RawBuilder<T> => sql`${sql.raw(mark)}${statement}`

/** Like `plannedOnce`, for texts partly made by a caller, such as filters: named from the fifth time. */
export const plannedWhenOften = <T>(statement: RawBuilder<T>): RawBuilder<T> =>
  sql`${sql.raw(repeatedMark)}${statement}`

function timesToName(names: StatementNames, text: string): number {
  if (text.length > maxTextLength) return Number.POSITIVE_INFINITY
  if (names === 'all' || text.startsWith(mark)) return 1
  return names === 'repeated' || text.startsWith(repeatedMark) ? 5 : Number.POSITIVE_INFINITY
}

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

/** A migration changed a prepared `select *`: its connection refuses it for good and is closed; nothing was executed. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '0A000' && /cached plan/.test(error.message)) ||
    error.message === 'Client was closed and is not queryable')

/** The driver's `query` has a dozen forms, distinguished at run time. */
type AnyQuery = (this: pg.Client, ...given: unknown[]) => never

/** The driver's client with statement names; `none` also drops the callers' own. */
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
