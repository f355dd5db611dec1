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
