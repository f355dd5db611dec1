/** Which posts of a run are read at once: no more than can be taken whole, so that every paid page is used. */
import type { Run, RunPost } from '../../sources/index.ts'

/** Most pages of different posts that a run asks for at once and writes in one unit of work. */
const maxPages = 8

/** How many pages a run may ask for, when its account takes `takes` calls at once and `asked` are running. */
export const pagesFree = ({ takes, asked }: { takes: number; asked: number }): number =>
  Math.max(1, Math.min(maxPages, takes - asked))

/** Entries that a vendor may serve beyond those a post declares: one large page. */
const beyondDeclared = 100

/** True when a run may read several posts at once: it works on engagement, post after post, without recent failures. */
export const readsAhead = ({
  policy,
  cursor,
  attempts,
  unexpectedFailures,
}: Pick<Run, 'policy' | 'cursor' | 'attempts' | 'unexpectedFailures'>): boolean =>
  policy.stores === 'leads' &&
  policy.order === 'one_by_one' &&
  cursor.phase === 'engagement' &&
  attempts === 0 &&
  unexpectedFailures === 0

/** Most entries a post can still show; unbounded for authors, rests of pages, missing counts, and posts that vendors failed. */
function maxToCome({ phase, pageRest, readAlone, reactionsDeclared, commentsDeclared }: RunPost): number {
  if (phase === 'author' || pageRest !== null || readAlone || reactionsDeclared === null || commentsDeclared === null)
    return Number.POSITIVE_INFINITY
  return reactionsDeclared + commentsDeclared + beyondDeclared
}

/** The next posts to read at once: as many as fit whole in `room`, so that no bound stops the run before the last one is read. */
export function postsAtOnce(posts: readonly RunPost[], room: number): readonly RunPost[] {
  let toCome = 0
  const fitting = posts.findIndex((post) => (toCome += maxToCome(post)) > room)
  return posts.slice(0, Math.max(1, fitting < 0 ? posts.length : fitting))
}
