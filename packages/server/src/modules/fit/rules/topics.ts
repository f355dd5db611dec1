import { contained, needleOf, prepare } from '../../../platform/rules/matching.ts'

/** Makes the judge of topics: the first that a text names as a phrase, else the first whose words it all has, or null. */
export function topicJudge(topics: readonly string[]): (text: string) => string | null {
  const asked = topics.flatMap((topic) => {
    const phrase = needleOf(topic)
    return phrase === null ? [] : [{ topic, phrase, words: topic.split(/\s+/).flatMap((word) => needleOf(word) ?? []) }]
  })
  const finder = prepare(asked.flatMap(({ phrase, words }) => [phrase, ...words]))
  let next = 0
  const places = asked.map(({ topic, words }) => {
    const phrase = next
    next += 1 + words.length
    return { topic, phrase, words: words.map((_, index) => phrase + 1 + index) }
  })
  return (text) => {
    if (text === '') return null
    const found = contained(finder, text)
    return (
      (
        places.find(({ phrase }) => found[phrase]) ??
        places.find(({ words }) => words.length > 0 && words.every((word) => found[word]))
      )?.topic ?? null
    )
  }
}
