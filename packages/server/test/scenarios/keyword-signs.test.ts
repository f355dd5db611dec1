/** A sign before a search term, as other search boxes take it: refused wherever it would be dropped and bought [WLD-19, G164]. */
import { expect, it } from 'vitest'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

it.each([
  ['/keyword/track', { expression: 'sales AND -webinar' }, /`-webinar` at character 11 .*AND NOT webinar/],
  ['/keyword/estimate', { expression: 'sales AND !webinar' }, /`!webinar` at character 11 .*AND NOT webinar/],
  ['/keyword/track', { keywords: ['sales -webinar'] }, /`keywords\[0\]` .*`expression` with AND NOT webinar/],
  ['/keyword/estimate', { keyword: '-webinar' }, /`keyword` .*`expression` with AND NOT webinar/],
  [
    '/keyword/track',
    { keyword: 'sales', authorKeyword: ['cto', '-recruiter'] },
    /`authorKeyword\[1\]` .*\(-recruiter\)/,
  ],
  ['/discover', { keywords: ['sales -webinar'] }, /`keywords\[0\]` .*\(-webinar\)/],
])('%s refuses %j naming the token, and nothing is written [WLD-19, G164]', async (path, body, message) => {
  const team = await world.team()
  const answer = await refusedWithoutTrace(world, () => team.post(path, { ...body, confirmSpend: true }))
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(message)])
})

it('the topics of an agent are refused so too [WLD-19, G164]', async () => {
  const team = await world.team()
  // Brackets are taken off a topic, so that a sign before one is dropped like any other.
  for (const [topic, said] of [
    ['sales -webinar', /topics\[1\]` .*\(-webinar\)/],
    ['sales -(cold webinar)', /topics\[1\]` .*\(-\(cold\)/],
    ['sales (\u200b-webinar)', /topics\[1\]` must not have a sign/],
  ] as const) {
    const answer = await refusedWithoutTrace(world, () =>
      team.put('/agent', { website: 'https://example.com', topics: ['sales', topic] }),
    )
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(said)])
  }
})

it('inside quotes it is text [WLD-19, G164]', async () => {
  const team = await world.team()
  for (const body of [{ expression: 'sales AND "-webinar"' }, { keywords: ['"sales -webinar"'] }])
    expect((await team.post('/keyword/estimate', body)).status).toBe(200)
})
