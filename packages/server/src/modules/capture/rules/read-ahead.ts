/** Which posts of a run are asked for at once: no more than can be taken whole, so that nothing is paid for that is not used. */
import type { Run, RunPost } from '../../sources/index.ts'

/** Pages of different posts that a run asks for at once and writes in one unit of work, at most. */
const maxPages = 8

/** How many pages a run may ask for, when its account takes so many calls at once and so many pages are asked for already. */
export const pagesFree = ({ takes, asked }: { takes: number; asked: number }): number =>
  Math.max(1, Math.min(maxPages, takes - asked))

/** Entries that a vendor may serve of a post beyond those it declares: one large page. */
const beyondDeclared = 100

/** True of a run whose posts may be read several at a time: it works on engagement, post after post, and nothing failed lately. */
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

/** Entries still to come of a post, at most; without bound where none is asked for, no counts were served, or vendors failed it. */
function maxToCome({ phase, pageRest, readAlone, reactionsDeclared, commentsDeclared }: RunPost): number {
  if (phase === 'author' || pageRest !== null || readAlone || reactionsDeclared === null || commentsDeclared === null)
    return Number.POSITIVE_INFINITY
  return reactionsDeclared + commentsDeclared + beyondDeclared
}

/**
 * Of the posts that come next, in their order, those whose pages are asked for at once: while all that they may show fits in `room`,
 * what the run may still take. Then no bound stops it before the last of them is read to its end, so that it has stored the same as
 * if it had read one after the other, and no page is paid for in vain.
 */
export function postsAtOnce(posts: readonly RunPost[], room: number): readonly RunPost[] {
  let toCome = 0
  const fitting = posts.findIndex((post) => (toCome += maxToCome(post)) > room)
  return posts.slice(0, Math.max(1, fitting < 0 ? posts.length : fitting))
}
