/**
 * 25 jobs in words, done by a scripted stand-in through the real tools, and scored: calls, tokens, credits. `npm run
 * mcp:tasks` does all of them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amount } from '../world/amount.ts'
import { sourceOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'
import { connect, type McpClient } from './client.ts'
import { tasks, type Stand, type Task } from './tasks.ts'

const world = useWorld()
let team: Team
let client: McpClient
let shared: Pick<Stand, 'author' | 'sourceId' | 'hook'>
const score = { calls: 0, tokens: 0 }
const lines: string[] = []

beforeAll(async () => {
  team = await world.team({ credits: 5_000 })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 2, comments: 2 })
  await track(team, author)
  await world.drain()
  const inbox = await world.inbox()
  shared = { author, sourceId: (await sourceOf(team, author)).id, hook: inbox.url }
  client = await connect(`${world.url}/mcp`, { headers: { 'x-api-key': team.apiKey } })
})
afterAll(async () => {
  await client?.close()
  process.stdout.write(`${lines.join('\n')}\n`)
})

/** Four characters a token is what English takes. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4)

async function call(tool: string, input: Record<string, unknown> = {}) {
  const answered = await client.call(tool, input)
  score.calls += 1
  score.tokens += tokensOf(answered.text) + tokensOf(JSON.stringify(answered.data ?? ''))
  return answered
}

const stand = (): Stand => ({
  ...shared,
  call,
  handle: () => {
    const handle = world.handle('new')
    world.network.seedPost({ author: handle, reactions: 1 })
    return handle
  },
  spend: async (tool, input, atMost) => {
    const quoted = await call(tool, input)
    const repeat = /repeat exactly this call: \w+ (\{.*\})/.exec(quoted.text)?.[1]
    if (repeat === undefined) return quoted
    const figures = [...quoted.text.matchAll(/"(?:estimatedDailyMax|estimatedCredits|discoverCost)":(\d+)/g)]
    if (figures.some(([, credits]) => Number(credits) > atMost)) return null
    return await call(tool, JSON.parse(repeat) as Record<string, unknown>)
  },
  work: async () => void (await world.drain()),
})

const chosen: readonly Task[] = amount(
  tasks.filter(({ usual }) => usual),
  tasks,
)

it('there are 25 jobs, and a part of them is done in every run', () => {
  expect(tasks).toHaveLength(25)
  expect(tasks.filter(({ usual }) => usual).length).toBeGreaterThanOrEqual(5)
})

it.each(chosen.map((task) => [task.words, task] as const))(
  '«%s» is done within its calls, tokens and credits',
  async (words, task) => {
    Object.assign(score, { calls: 0, tokens: 0 })
    const before = await team.balance()
    const done = await task.run(stand())
    // What a job began is done before it is counted.
    await world.drain()
    const spent = before - (await team.balance())
    lines.push(
      `mcp:tasks  ${done ? 'done' : 'NOT DONE'}  ${score.calls} calls  ${score.tokens} tokens  ${spent} credits  ${words}`,
    )
    expect([words, done]).toEqual([words, true])
    expect(score.calls).toBeLessThanOrEqual(task.calls)
    expect(score.tokens).toBeLessThanOrEqual(task.tokens)
    expect(spent).toBeLessThanOrEqual(task.credits)
  },
)
