/** What planted bugs are made of. */
import type { themes } from './feature-commands.ts'
import type { Statement } from './machine.ts'
import type { Seams } from './service.ts'

/** A bug. */
export type Plant = {
  readonly name: string
  /** Changes of the schema. */
  readonly ddl?: readonly string[]
  readonly seams?: () => Seams
  /** Part of what the simulation must say. */
  readonly says: RegExp
  /** Needs hundreds of seeds, so `run.ts --plants --seeds 1000` looks for it and the tests do not. */
  readonly rare?: true
  /** Found so soon that every run of the tests plants it. */
  readonly quick?: true
  /** What the histories are about in which it shows; tracking alone when left out. */
  readonly theme?: keyof typeof themes
}

/** A rewrite of the statements that match; throws in `used` when the code has changed and it no longer matches anything. */
export const rewriting = (match: RegExp, change: (statement: Statement) => Statement) => (): Seams => ({
  rewrite: (statement) => (match.test(statement.sql) ? change(statement) : undefined),
})
/** A change of the text of the statements that match. */
export const replacing = (match: RegExp, from: RegExp, to: string) =>
  rewriting(match, ({ sql, params }) => {
    const changed = sql.replace(from, to)
    if (changed === sql) throw new Error(`the planted bug no longer fits the statement: ${sql}`)
    return { sql: changed, params }
  })
/** A statement that does nothing and takes the same parameters. */
export const nothing = ({ params }: Statement): Statement => ({
  sql: `select 1 where false${params.map((_, n) => ` and $${n + 1}::text is null`).join('')}`,
  params: params.map(() => null),
})
/** The same, but that it answers a row: whoever asks takes it for done. */
export const nothingSeen = (statement: Statement): Statement => {
  const { sql, params } = nothing(statement)
  return { sql: sql.replace('where false', 'where true'), params }
}
/** Another key for what is charged for people. */
export const inKeys = (change: (keys: string) => string) =>
  rewriting(/credit_entry/, ({ sql, params }) => ({
    sql,
    params: params.map((value) =>
      typeof value === 'string' && value.includes(':person:')
        ? change(value)
        : Array.isArray(value)
          ? value.map((key) => (typeof key === 'string' ? change(key) : key))
          : value,
    ),
  }))
