import texts from './data/texts.json' with { type: 'json' }
import { hash32, type Random } from './random.ts'

/** The text of a generated post, from `data/texts.json`; its topics depend on `author`. */
export function generatedText(
  author: string,
  { base, topic, words }: { readonly base: Random; readonly topic: Random; readonly words: Random },
): string {
  return [postText(base), topicText(topic, author), ordinaryText(words, author)]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The text of a post without a topic. */
export function postText(random: Random): string {
  const paragraphs = [random.pick(texts.hooks), random.pick(texts.bodies)]
  if (random.chance(0.5)) paragraphs.push(random.pick(texts.bodies))
  const end = random.pick(texts.ends)
  if (end) paragraphs.push(end)
  if (random.chance(0.6))
    paragraphs.push([...new Set(Array.from({ length: 3 }, () => random.pick(texts.tags)))].join(' '))
  return [...new Set(paragraphs)].join('\n\n')
}

export const commentText = (random: Random): string => random.pick(texts.comments)

export const replyText = (random: Random): string => random.pick(texts.replies)

/** A comment by the author under their own post. */
export const authorNote = (random: Random): string => random.pick(texts.authorNotes)

function filled(pattern: string, words: readonly string[]): string {
  let next = 0
  const text = pattern.replaceAll('{}', () => words[next++]!)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** A topic sentence in six of ten posts. Authors prefer two topics of their own, so that searches find the same people again. */
function topicText(random: Random, author: string): string {
  const { commonTopics, rareTopics } = texts
  if (!random.chance(0.6)) return ''
  const own = random.chance(0.6) ? commonTopics[hash32(author, 54 + random.int(2)) % commonTopics.length] : undefined
  const topic = own ?? (random.chance(0.94) ? random.pick(commonTopics) : random.pick(rareTopics))
  return filled(random.pick(texts.topicSentences), [topic])
}

/** Tables start with the most common entries: of a hundred, the first is drawn about six times as often as the last. */
const usual = (entries: readonly string[], draw: number): string => entries[Math.floor(entries.length * draw ** 1.6)]!

const plural = (thing: string): string =>
  /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`

function word(random: Random): string {
  if (!random.chance(0.3)) return random.pick(texts.words)
  const thing = random.pick(texts.things)
  return random.chance(0.5) ? plural(thing) : thing
}

/**
 * Sentences with common search terms: pairs such as `sales ops`, well-known phrases, single words. Half of the areas are among
 * three that the author prefers.
 */
function ordinaryText(random: Random, author: string): string {
  const area = (): string =>
    usual(texts.areas, random.chance(0.5) ? hash32(author, 60 + random.int(3)) / 2 ** 32 : random.next())
  const pair = (): string => `${area()} ${usual(texts.activities, random.next())}`
  return [
    filled(random.pick(texts.pairSentences), [pair(), pair()]),
    filled(random.pick(texts.phraseSentences), [random.chance(0.3) ? pair() : random.pick(texts.phrases)]),
    filled(random.pick(texts.wordSentences), [word(random), word(random), word(random)]),
  ].join(' ')
}
