import type { Reader } from '../../platform/db/unit-of-work.ts'

/**
 * For each value (text or JSON): may it name a person the team has had erased? One from before (`at`) the newest erasure always
 * may, since its free text was not searched.
 */
export type NamesErased = (
  db: Reader,
  said: readonly { readonly teamId: string; readonly value: unknown; readonly at?: Date }[],
) => Promise<readonly boolean[]>

/** Replaces a path that names an erased person. */
export const erasedPath = '(erased)'
