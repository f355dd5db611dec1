import { expect } from 'vitest'
import type { Answer, Team, World } from '../world/world.ts'

/** A word that only the posts seeded with it contain. */
export const topicOf = (world: World): string => world.handle('topic').replaceAll('-', 'x')

/** Somebody who writes: the engagement of each post, and their country. */
export type Writer = {
  readonly handle?: string
  readonly country?: string | null
  /** Some invented people have no job; a test that reads the title sets one. */
  readonly title?: string
  readonly engagements: readonly number[]
  readonly topic?: string
}

/** Seeds people who write about a topic, one post per engagement figure (a third of it comments); returns their handles. */
export function seedWriters(world: World, topic: string, writers: readonly Writer[]): string[] {
  const handles = writers.map((writer) => writer.handle ?? world.handle('writer'))
  const posts = writers.flatMap((writer, at) =>
    writer.engagements.map((engagement, index) => {
      const comments = Math.floor(engagement / 3)
      const author = {
        handle: handles[at]!,
        ...(writer.country === undefined ? {} : { country: writer.country }),
        ...(writer.title === undefined ? {} : { title: writer.title }),
      }
      return {
        author,
        text: `Number ${index + 1} about ${writer.topic ?? topic} today`,
        declaredReactions: engagement - comments,
        declaredComments: comments,
        reactions: 0,
        comments: 0,
      }
    }),
  )
  world.network.seedSearch({ posts, generated: false })
  return handles
}

/** Starts a run, which must answer 201; returns the body. */
export async function start(team: Team, request: Record<string, unknown>): Promise<Answer['body']> {
  const answer = await team.post('/discover', { confirmSpend: true, ...request })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

export const runOf = async (team: Team, id: string): Promise<Answer['body']> => (await team.get(`/discover/${id}`)).body

/** Starts a run, does all due work, and returns the run. */
export async function discover(world: World, team: Team, request: Record<string, unknown>): Promise<Answer['body']> {
  const { id } = await start(team, request)
  await world.drain()
  return runOf(team, id)
}

/** The handles of a run's people, in order. */
export const handlesOf = (run: Answer['body']): string[] =>
  run.influencers.map((person: { linkedinUrl: string }) => person.linkedinUrl.split('/in/')[1])
