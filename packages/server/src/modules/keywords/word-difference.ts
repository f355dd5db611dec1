/** A trial of words as a difference: against the words a search has, person by person, with what it is expected to cost. Reads only. */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { comparePeopleOfPosts, type PeopleOfPosts } from '../leads/index.ts'
import type { Source } from '../sources/index.ts'
import { expectedCredits, type ExpectedCredits } from './rules/expected-credits.ts'
import { judgeByExpression, parseExpression } from './rules/expression.ts'
import type { StoredPost } from './stored-posts.ts'
import { findSearch, type KeywordSearch } from './store.ts'

/** Leads that one comparison looks at, the newest: some tenths of a second. */
const mostLeads = 50_000
const mostShown = 25

/** A post that was tried: whether it would be kept, and whether it misses by one part. */
export type Tried = StoredPost & { readonly kept: boolean; readonly near: boolean }

/** The difference, and of each post by its URN whether the search as it is keeps it. */
export type WordDifference = {
  readonly words: string
  readonly isExpression: boolean
  readonly posts: { readonly gained: number; readonly lost: number; readonly near: number }
  readonly people: Pick<PeopleOfPosts, 'gained' | 'lost' | 'near' | 'isWhole' | 'shown'>
  readonly credits: ExpectedCredits
  readonly creditCap: number
  readonly keepsNow: ReadonlyMap<string, boolean>
}

/**
 * Whether a search keeps a post by its words. One of terms keeps whatever the network finds for them, so of posts that it has not
 * met nobody can say: they count as not kept. With an AI on trial, what the AI of the search discarded is not kept either.
 */
function judgeNow(search: KeywordSearch, hasAi: boolean): (post: StoredPost) => boolean {
  const parsed = search.expression === null ? undefined : parseExpression(search.expression)
  const expression = parsed?.ok ? parsed.expression : undefined
  return ({ text, before }) =>
    (expression === undefined ? before !== null : judgeByExpression(expression, text ?? '').kept) &&
    !(hasAi && before === 'discarded')
}

/** Compares what was tried with what a search has. */
export async function compareWords(
  db: Reader,
  { source, tried, hasAi }: { readonly source: Source; readonly tried: readonly Tried[]; readonly hasAi: boolean },
): Promise<WordDifference | null> {
  const { teamId, id } = source
  const search = await findSearch(db, teamId, id)
  if (search === undefined) return null
  const keeps = judgeNow(search, hasAi)
  const posts = tried.map((post) => ({
    urn: post.urn,
    now: keeps(post),
    tried: post.kept,
    near: post.near,
    engagement: post.engagement,
  }))
  const people = await comparePeopleOfPosts(
    db,
    { teamId, sourceId: id },
    {
      posts,
      most: mostLeads,
      sample: mostShown,
    },
  )
  return {
    words: source.username,
    isExpression: search.expression !== null,
    posts: {
      gained: posts.filter((post) => post.tried && !post.now).length,
      lost: posts.filter((post) => post.now && !post.tried).length,
      near: posts.filter((post) => post.near && !post.tried).length,
    },
    people,
    credits: expectedCredits(posts, people, { ...search, mode: source.settings.mode }),
    creditCap: search.creditCap,
    keepsNow: new Map(posts.map((post) => [post.urn, post.now])),
  }
}
