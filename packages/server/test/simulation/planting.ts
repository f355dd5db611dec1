import type { themes } from './feature-commands.ts'
import type { Statement } from './machine.ts'
import type { Seams } from './service.ts'

/** A planted bug. */
export type Plant = {
  readonly name: string
  readonly ddl?: readonly string[]
  readonly seams?: () => Seams
  /** Part of the failure that the simulation must report. */
  readonly says: RegExp
  /** Needs hundreds of seeds: only `run.ts --plants --seeds 1000` looks for it. */
  readonly rare?: true
  /** Found quickly enough for every test run. */
  readonly quick?: true
  /** The theme whose histories show it; tracking by default. */
  readonly theme?: keyof typeof themes
}

/** Rewrites the statements that match. */
export const rewriting = (match: RegExp, change: (statement: Statement) => Statement) => (): Seams => ({
  rewrite: (statement) => (match.test(statement.sql) ? change(statement) : undefined),
})
/** Replaces text in the statements that match; throws if the code has changed so that there is nothing to replace. */
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
/** The same but returning one row, so that the caller thinks it succeeded. */
export const nothingSeen = (statement: Statement): Statement => {
  const { sql, params } = nothing(statement)
  return { sql: sql.replace('where false', 'where true'), params }
}
/** Changes the keys of charges for people. */
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
