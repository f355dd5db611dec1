import type { Reader } from '../../platform/db/unit-of-work.ts'

/**
 * For each value (text or JSON): does it name a person the team has had erased? A value from before (`at`) the newest erasure
 * always counts as naming one, because free text that was not searched then may do so.
 */
export type NamesErased = (
  db: Reader,
  said: readonly { readonly teamId: string; readonly value: unknown; readonly at?: Date }[],
) => Promise<readonly boolean[]>

/** Replaces a path that names an erased person. */
export const erasedPath = '(erased)'
