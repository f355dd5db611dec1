/** What searches find in process tests: topics that nobody else writes about, posts on them, and people around these. */
import type { Stage } from './stage.ts'

/** Topics, the people who write about them, and those who engage. */
export type SearchScene = {
  readonly author: string
  readonly fans: readonly string[]
  readonly topics: readonly string[]
}

const topicOf = (stage: Stage): string => stage.handle('topic').replaceAll('-', 'x')

/** People whom enrichment finds and who have only seeded posts. */
function seedPeople(stage: Stage, prefix: string, count: number, country = 'DE'): string[] {
  const handles = Array.from({ length: count }, () => stage.handle(prefix))
  for (const handle of handles) stage.sandbox.world.seedPerson({ handle, title: 'Engineer', country, posts: [] })
  return handles
}

/** Two topics that share a post, with a word that the expression discards, one that the AI rejects, and a company page. */
export function seedSearched(stage: Stage): SearchScene {
  const [one, two] = [topicOf(stage), topicOf(stage)]
  const fans = seedPeople(stage, 'fan', 4)
  const authors = seedPeople(stage, 'writer', 5)
  const texts = [`${one} hiring`, `${two} hiring`, `${one} ${two} hiring`, `${one} cooking`, `${one} hiring spam`]
  const engagement = { reactions: fans.map((person) => ({ person })), comments: [{ person: fans[0]!, text: 'Hm' }] }
  const posts = texts.map((text, at) => ({ author: authors[at]!, text, ...engagement }))
  const page = {
    author: { company: stage.handle('page') },
    text: `${two} hiring too`,
    reactions: seedPeople(stage, 'fan', 2).map((person) => ({ person })),
    comments: [],
  }
  stage.sandbox.world.seedSearch({ posts: [...posts, page], generated: false })
  return { author: authors[0]!, fans, topics: [one, two] }
}

/** Ten people of two countries, each with two posts about one topic; later ones have more engagement. */
export function seedWriters(stage: Stage): SearchScene {
  const topic = topicOf(stage)
  const writers = Array.from({ length: 10 }, (_, at) => seedPeople(stage, 'writer', 1, at % 2 === 0 ? 'DE' : 'FR')[0]!)
  const posts = writers.flatMap((author, at) =>
    [1, 2].map((number) => ({
      author,
      text: `Number ${number} about ${topic}`,
      declaredReactions: 10 + at,
      declaredComments: 5,
      reactions: 0,
      comments: 0,
    })),
  )
  stage.sandbox.world.seedSearch({ posts, generated: false })
  return { author: writers[0]!, fans: [], topics: [topic] }
}

/** Two topics and three people who write about them, each with their own engagers. */
export function seedFollowed(stage: Stage): SearchScene {
  const topics = [topicOf(stage), topicOf(stage)]
  const writers = seedPeople(stage, 'writer', 3)
  const posts = writers.map((author, at) => {
    const [first, second] = seedPeople(stage, 'fan', 2)
    return {
      author,
      text: `About ${topics[at % 2]}`,
      reactions: [{ person: first! }],
      comments: [{ person: second!, text: 'So true' }],
    }
  })
  stage.sandbox.world.seedSearch({ posts, generated: false })
  return { author: writers[0]!, fans: [], topics }
}
