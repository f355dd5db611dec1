/** Fields that are nearly named like a known one are refused before anything happens; other unknown fields are ignored [G156]. */
import { expect, it } from 'vitest'
import { refusedWithoutTrace, silent, sourcesOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

it('a misspelt webhook, cap or yes is 400 unknown_field naming what is meant, and nothing changes [FIX-07, G156]', async () => {
  const team = await world.team({ credits: 100 })
  const [tracked, other] = [silent(world), silent(world)]
  await track(team, tracked)
  const person = { profileUrl: 'https://www.linkedin.com/in/x', job_title: 'CEO' }
  const rule = { Column: 'jobTitle', operator: 'contains', value: 'x' }
  const enrich = { username: other, saveTrackedProfile: true, credit_cap_per_sync: 5 }
  for (const [method, path, body, sent, meant] of [
    ['PUT', `/profile/${tracked}/webhook`, { webhookURL: 'https://hooks.example.com/x' }, 'webhookURL', 'webhookUrl'],
    ['PUT', `/profile/${tracked}/webhook`, { icpOnly: true, auto_send: false }, 'auto_send', 'autoSend'],
    ['PUT', `/profile/${tracked}/icp`, { rules: [rule] }, 'rules[0].Column', 'column'],
    ['POST', '/enrich/profile', enrich, 'credit_cap_per_sync', 'creditCapPerSync'],
    ['POST', '/keyword/track', { keyword: 'sales', 'max-runs': 1 }, 'max-runs', 'maxRuns'],
    ['POST', '/discover', { keywords: ['sales'], Countries: ['Germany'] }, 'Countries', 'countries'],
    ['POST', '/integrations/outreach/send', { campaignId: '1', people: [person] }, 'people[0].job_title', 'jobTitle'],
  ] as const) {
    const { status, body: answer } = await refusedWithoutTrace(world, () => team.call(method, path, body))
    const said = `Unknown field \`${sent}\`: send \`${meant}\``
    expect([status, answer.code, answer.error], path).toEqual([400, 'unknown_field', said])
  }
})

it('what is like no known name stays ignored [G156, G10]', async () => {
  const team = await world.team({ credits: 100 })
  await track(team, silent(world), { crmId: 7, note: 'from a record of our own', webhook: 'x' })
  expect(await sourcesOf(team)).toHaveLength(1)
})
