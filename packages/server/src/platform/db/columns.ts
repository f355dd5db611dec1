/** Kinds of columns, for the types of tables. */
import type { ColumnType, Generated } from 'kysely'

/** A JSON column: read as its value, written as its text. */
export type Json<T> = ColumnType<T, string, string>

/** A column that never changes after the row was made. */
export type Fixed<T> = ColumnType<T, T, never>

/** What a row has that is worked on under a lease: who has it, until when (milliseconds of the machine), its fence. */
export type Lease = {
  lease_owner: Generated<string | null>
  lease_until_ms: Generated<number | null>
  fence: Generated<number>
}
