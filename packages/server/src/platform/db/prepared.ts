/**
 * Statements that are asked again and again are parsed and planned once per connection: the driver is given a name for each. Work
 * repeats a few hundred statements for ever, and without names the database spends more on reading them than on answering.
 */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'

/** When a statement gets a name, and how many may have one: a connection keeps each until it ends. */
const named = { fromTimes: 5, most: 400, longestText: 20_000 } as const
/** So many statements of which a caller writes a part get a name. */
const mostWritten = 100

/** Statements waiting for their fifth time; past this many, counting begins anew. */
const mostCounted = 5_000

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 24)

/** What a statement begins with whose plan is to be kept, and one whose plan is once it is asked often. */
const mark = '/* planned once */ '
const oftenMark = '/* planned once, when often */ '

/**
 * A statement that takes longer to plan than to answer, and whose plan is the same whatever it asks: each connection of a pool plans it
 * once, from the first time on. Of a text that its caller writes (a filter) there would be one name after the other: not for those.
 */
export const plannedOnce = <T>(statement: RawBuilder<T>): RawBuilder<T> => sql`${sql.raw(mark)}${statement}`

/** As `plannedOnce`, of a text of which its caller writes a part: from its fifth time on, and of at most 100 such texts. */
export const plannedWhenOften = <T>(statement: RawBuilder<T>): RawBuilder<T> => sql`${sql.raw(oftenMark)}${statement}`

/** Names of statements whose code asks for one (`plannedOnce`, `plannedWhenOften`), by their text. */
export function openGivenNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const ofWritten = openStatementNames({ most: mostWritten })
  return (text) => {
    if (text.startsWith(oftenMark)) return ofWritten(text)
    if (!text.startsWith(mark)) return undefined
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= named.most) return undefined
    names.set(text, digestOf(text))
    return names.get(text)
  }
}

/** Names of statements by their text, for all connections of one pool: at most so many, each from its `fromTimes`-th time on. */
export function openStatementNames({
  fromTimes = named.fromTimes,
  most = named.most,
}: {
  readonly fromTimes?: number
  readonly most?: number
} = {}): (text: string) => string | undefined {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= most || text.length > named.longestText) return undefined
    const times = (counts.get(text) ?? 0) + 1
    if (times < fromTimes) {
      if (counts.size >= mostCounted) counts.clear()
      counts.set(text, times)
      return undefined
    }
    counts.delete(text)
    const name = digestOf(text)
    names.set(text, name)
    return name
  }
}

/**
 * A migration by another process changed what a prepared `select *` answers: this connection would refuse it for ever, and is closed.
 * The statement that meets it says so, and whatever is asked of the closed connection then; both were not carried out.
 */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === '0A000' && /cached plan/.test(error.message)) ||
    error.message === 'Client was closed and is not queryable')

/** The driver's `query` as it is passed through: it has a dozen forms, told apart at run time. */
type AnyQuery = (this: pg.Client, ...given: unknown[]) => never

/** The driver's client, naming what `nameOf` has a name for. A connection whose plans a migration outdated is closed. */
export function preparingClient(nameOf: (text: string) => string | undefined): typeof pg.Client {
  const plain = pg.Client.prototype.query as AnyQuery
  return class extends pg.Client {
    override query(...given: unknown[]): never {
      const [text, values] = given
      const name = given.length === 2 && typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      if (name === undefined) return plain.apply(this, given)
      const answer: Promise<unknown> = plain.call(this, { name, text, values })
      return answer.catch((error: unknown) => {
        if (isOutdated(error)) void this.end().catch(() => {})
        throw error
      }) as never
    }
  }
}

/**
 * The driver's client that names no statement, whoever asks for a name: behind a pooler that lends a session to many, the next
 * statement may come to a session that has the name already, or does not know it.
 */
export function namelessClient(): typeof pg.Client {
  const plain = pg.Client.prototype.query as AnyQuery
  return class extends pg.Client {
    override query(...given: unknown[]): never {
      const [asked, ...rest] = given
      // A query that submits itself, as a cursor does, brings no name of ours.
      const isNamed = typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked)
      return plain.apply(this, isNamed ? [{ ...asked, name: undefined }, ...rest] : given)
    }
  }
}
