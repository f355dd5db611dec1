/** Which of an agent's topics a text is about (specification «Agent lead»: `topic`, `posterTopic`). */
import { asWords, containsPhrase, type Word } from './words.ts'

/** Makes the judge of some topics: the first that a text names as a phrase, else the first of which it has every word; null when it is about none. */
export function topicJudge(topics: readonly string[]): (words: readonly Word[]) => string | null {
  const asked = topics.map((topic) => ({ topic, words: asWords(topic) })).filter(({ words }) => words.length > 0)
  return (words) => {
    if (words.length === 0) return null
    const named = asked.find((one) => containsPhrase(words, one.words))
    if (named) return named.topic
    const has = new Set(words.map((word) => word.text))
    return asked.find((one) => one.words.every((word) => has.has(word)))?.topic ?? null
  }
}
