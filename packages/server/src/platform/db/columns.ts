import type { ColumnType, Generated } from 'kysely'

/** Read as its value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>

export type Fixed<T> = ColumnType<T, T, never>

/** Columns of leased rows: the owner's process id, the end in system milliseconds, and the fence. */
export type Lease = {
  lease_owner: Generated<string | null>
  lease_until_ms: Generated<number | null>
  fence: Generated<number>
}

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** A row with camel-case names: `lead_rows` is `leadRows`. */
export type CamelKeys<Row> = { readonly [Name in keyof Row & string as CamelCase<Name>]: Row[Name] }

export type SnakeKeys<Values> = { [Name in keyof Values & string as SnakeCase<Name>]: Values[Name] }

const renamed = (values: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]))

export const camelKeys = <Row extends object>(row: Row): CamelKeys<Row> =>
  renamed(row, (name) => name.replaceAll(/_[a-z]/g, (letter) => letter[1]!.toUpperCase())) as CamelKeys<Row>

export const snakeKeys = <Values extends object>(values: Values): SnakeKeys<Values> =>
  renamed(values, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as SnakeKeys<Values>
