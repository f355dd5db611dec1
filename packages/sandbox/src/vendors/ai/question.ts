/** A post as the service shows it to a model. */
export type ShownPost = { id: string; text: string; headline: string | null; author: string | null }

/** What a prompt asks: the team's filter and the posts; undefined when it holds no list of posts. */
export type Question = { filter: string; posts: ShownPost[] }

/** Finds the filter and the posts between their marks in everything a request says. */
export function questionIn(text: string): Question | undefined {
  const list = /<posts-(\w+)>\n([\s\S]*?)\n<\/posts-\1>/.exec(text)?.[2]
  if (list === undefined) return undefined
  return {
    filter: /<filter-(\w+)>\n([\s\S]*?)\n<\/filter-\1>/.exec(text)?.[2] ?? '',
    posts: JSON.parse(list) as ShownPost[],
  }
}

const FILLERS = new Set([
  'about',
  'posts',
  'people',
  'where',
  'which',
  'whose',
  'their',
  'there',
  'these',
  'those',
  'should',
  'would',
  'could',
  'mention',
  'mentions',
  'talking',
  'someone',
  'author',
  'authors',
  'discard',
  'other',
])

/**
 * The obedient model's judgement of one post, the same every time.
 *
 * Quoted phrases of the filter decide: a post is kept when its text holds any of them and none of those that follow "not",
 * "no", "except" or "without"; upper and lower case are the same. Without quotes, any word of five letters or more that is no
 * filler decides; a filter without such words keeps everything.
 */
export function judged(filter: string, post: ShownPost): { keep: boolean; reason: string } {
  const text = post.text.toLowerCase()
  const quoted = [...filter.matchAll(/(\b(?:not|no|except|without)\s+)?["“]([^"”]+)["”]/gi)].map(([, no, phrase]) => ({
    no: no !== undefined,
    phrase: phrase!.toLowerCase(),
  }))
  const unwanted = quoted.find(({ no, phrase }) => no && text.includes(phrase))
  if (unwanted) return { keep: false, reason: `mentions "${unwanted.phrase}"` }
  const phrases = quoted.filter(({ no }) => !no).map(({ phrase }) => phrase)
  const wanted =
    quoted.length > 0
      ? phrases
      : [...new Set(filter.toLowerCase().match(/\p{L}{5,}/gu) ?? [])].filter((word) => !FILLERS.has(word))
  if (wanted.length === 0) return { keep: true, reason: 'nothing speaks against it' }
  const found = wanted.find((phrase) => text.includes(phrase))
  return found === undefined
    ? {
        keep: false,
        reason: `mentions none of ${wanted
          .slice(0, 3)
          .map((phrase) => `"${phrase}"`)
          .join(', ')}`,
      }
    : { keep: true, reason: `mentions "${found}"` }
}
