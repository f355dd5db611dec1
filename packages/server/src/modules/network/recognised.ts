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
 * Erases authors of posts who are recognised as erased. Call it after the unit that stores the posts and before a unit that
 * answers them; if the process dies in between, the next page that shows them does it.
 */
export async function eraseRecognisedAuthors(
  { db, unitOfWork, blockList, eraseRecognised }: RecognisingDeps,
  teamId: string,
  posts: readonly Post[],
): Promise<void> {
  const authors = posts.flatMap(authorsOf)
  const blocked = await blockList.among(db, teamId, authors)
  const recognised = new Map(
    authors.filter(blocked.has).map((person) => [JSON.stringify([person.urn, person.handle]), person]),
  )
  for (const person of recognised.values()) await unitOfWork((tx) => eraseRecognised(tx, teamId, person))
}
