/**
 * The tables as types: only what queries made with the builder touch; set-based SQL names its own row types. Each is
 * declared in the `schema.ts` of the folder that writes it, which adds it to `Tables`; nothing here knows one.
 */

/** Tables by name. A folder adds its own by `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled from the folders that write tables
export interface Tables {}

export type Database = Tables
