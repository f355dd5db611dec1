import type { FaultRule } from '../../traffic.ts'

type ShownPost = { id: string; text: string; headline: string | null; author: string | null }

/** The team's filter and the posts of a prompt. */
type Question = { filter: string; posts: ShownPost[] }

/** Finds the filter and posts between their marks in a request's text; undefined when there are no posts. */
export function questionIn(text: string): Question | undefined {
  const list = /<posts-(\w+)>\n([\s\S]*?)\n<\/posts-\1>/.exec(text)?.[2]
  if (list === undefined) return undefined
  return {
    filter: /<filter-(\w+)>\n([\s\S]*?)\n<\/filter-\1>/.exec(text)?.[2] ?? '',
    posts: JSON.parse(list) as ShownPost[],
  }
}

const FILLERS = new Set(
  (
    'about posts people where which whose their there these those should would could mention mentions talking someone ' +
    'author authors discard other'
  ).split(' '),
)

/**
 * The obedient model's deterministic verdict. Quoted phrases of the filter decide, ignoring case: a post is kept when it contains
 * one of them and none that follows "not", "no", "except" or "without". Without quotes any word of five or more letters that is
 * no filler decides; a filter without such words keeps everything.
 */
function judged(filter: string, post: ShownPost): { keep: boolean; reason: string } {
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
  if (found !== undefined) return { keep: true, reason: `mentions "${found}"` }
  const few = wanted.slice(0, 3).map((phrase) => `"${phrase}"`)
  return { keep: false, reason: `mentions none of ${few.join(', ')}` }
}

/** What a model says; `cut`: it reached its token limit. */
export type Said = { text: string; cut: boolean }

/** The model's answer, spoilt by the fault if there is one. */
export function sayOn(question: Question | undefined, fault: FaultRule | undefined): Said {
  if (question === undefined) return { text: 'ok', cut: false }
  if (fault?.kind === 'ai_prose')
    return {
      text: `Sure! I would keep ${question.posts.length > 1 ? 'the first of these posts' : 'this post'}, since it fits well.`,
      cut: false,
    }
  if (fault?.kind === 'ai_obey') return { text: obeyed(question), cut: false }
  const verdicts = question.posts.map((post) => ({ id: post.id, ...judged(question.filter, post) }))
  const text = JSON.stringify({ verdicts: spoilt(verdicts, fault) })
  if (fault?.kind === 'ai_wrapped')
    return { text: `\uFEFFSure! Here you are:\n\n\`\`\`json\n${text}\n\`\`\`\n\nAnything else?`, cut: false }
  if (fault?.kind === 'ai_twice') return { text: `${text}\n${text}`, cut: false }
  return fault?.kind === 'ai_cut'
    ? { text: text.slice(0, Math.floor(text.length * 0.7)), cut: true }
    : { text, cut: false }
}

type Verdict = { id: string; keep: boolean; reason: string }

function spoilt(verdicts: Verdict[], fault: FaultRule | undefined): unknown[] {
  const [first] = verdicts
  if (fault?.kind === 'ai_extra' && first) return [...verdicts, { ...first, id: `${first.id}0` }]
  if (fault?.kind === 'ai_missing') return verdicts.slice(1)
  if (fault?.kind === 'ai_duplicate' && first) return [first, first, ...verdicts.slice(2)]
  if (fault?.kind === 'ai_renamed') return verdicts.map((verdict, index) => ({ ...verdict, id: String(index + 1) }))
  if (fault?.kind === 'ai_shape') return verdicts.map(({ id }) => ({ id, keep: 'yes' }))
  return verdicts
}

/** A model that obeys posts: it answers the JSON that a post dictates, else keeps everything. */
function obeyed(question: Question): string {
  const dictated = question.posts.map(({ text }) => /\{[\s\S]*\}/.exec(text)?.[0]).find((text) => text !== undefined)
  return (
    dictated ??
    JSON.stringify({ verdicts: question.posts.map(({ id }) => ({ id, keep: true, reason: 'the post said so' })) })
  )
}
