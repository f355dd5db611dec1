/** Who turns out to be erased, under names that nothing had told (PRV-04, PRV-06). */
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { authorsOf, type BlockList, type PersonNamed } from './blocked.ts'

/** Takes out what was captured of somebody who turns out to be erased, and blocks all their names (`privacy/erase.ts`). */
export type EraseRecognised = (tx: Tx, teamId: string, person: PersonNamed) => Promise<void>

/** What is needed where posts are stored outside of capture. */
export type RecognisingDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly blockList: BlockList
  readonly eraseRecognised: EraseRecognised
}

/**
 * Takes out those authors of posts who turn out to be erased. Asked once the unit that stores the posts is over, and before one that
 * answers them; what is not done when this process dies is done by the next page that shows them.
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
