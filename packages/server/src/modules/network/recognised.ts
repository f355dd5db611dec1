import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { authorsOf, type BlockList, type PersonNamed } from './blocked.ts'

/** Erases what was captured of a person recognised as erased, and blocks all their names (`privacy/erase.ts`; PRV-04, PRV-06). */
export type EraseRecognised = (tx: Tx, teamId: string, person: PersonNamed) => Promise<void>

/** Needed where posts are stored outside of capture. */
export type RecognisingDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly blockList: BlockList
  readonly eraseRecognised: EraseRecognised
}

/**
 * Erases post authors recognised as erased. Call it between the unit that stores the posts and the one that answers them; after a
 * crash the next page with such posts does it.
 */
export async function eraseRecognisedAuthors(
  { db, unitOfWork, blockList, eraseRecognised }: RecognisingDeps,
  teamId: string,
  posts: readonly Post[],
): Promise<void> {
  const authors = posts.flatMap(authorsOf)
  const blocked = await blockList.findBlocked(db, teamId, authors)
  const recognised = new Map(
    authors.filter(blocked.has).map((person) => [JSON.stringify([person.urn, person.handle]), person]),
  )
  for (const person of recognised.values()) await unitOfWork((tx) => eraseRecognised(tx, teamId, person))
}
