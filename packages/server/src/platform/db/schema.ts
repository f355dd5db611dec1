/** Table types, for the query builder only: set-based SQL names its own row types. */

/** A folder whose statements use the query builder adds its tables in its `schema.ts` by `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled from the folders that write tables
export interface Tables {}

/** All tables, as Kysely wants them. */
export type Database = Tables
