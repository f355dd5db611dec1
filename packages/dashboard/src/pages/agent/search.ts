import type { Raw } from '../../app/search.ts'

/** What this page keeps in its address. */
export type Search = Record<never, never>

/** Reads the address of this page. */
export const search = (_raw: Raw): Search => ({})
