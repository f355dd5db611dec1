/**
 * Lines of the logs that name somebody whom the team has had erased: they are written as an erasure leaves those from before it, with
 * nothing of what was sent.
 */
import type { Reader } from '../../platform/db/unit-of-work.ts'

/**
 * Says of each value, a text or JSON, whether it names somebody whom its team has had erased. One that was said (`at`) before the team's
 * newest erasure counts as if it did: it may in free words, which nobody looks through any more.
 */
export type NamesErased = (
  db: Reader,
  said: readonly { readonly teamId: string; readonly value: unknown; readonly at?: Date }[],
) => Promise<readonly boolean[]>

/** What stands in the place of a path that names somebody erased. */
export const erasedPath = '(erased)'
