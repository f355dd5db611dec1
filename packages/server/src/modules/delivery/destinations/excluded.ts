/** Leads whose person must not be contacted. */
import type { Reader } from '../../../platform/db/unit-of-work.ts'

/** Those of the leads that are excluded now. */
export const listExcluded = async (_db: Reader, _teamId: string, _leadIds: readonly string[]): Promise<Set<string>> =>
  new Set()

/** How many of the leads that are asked for are excluded. */
export const listExcludedAsked = async (_db: Reader, _teamId: string, _asked: unknown): Promise<number> => 0
