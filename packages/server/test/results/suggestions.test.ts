/** Changes of criteria suggested by the results of captured and sent people. */
import { expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Answer } from '../world/world.ts'
import { capture, ok, record, urlOf, type Engager } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const some = (count: number, about: Engager): Engager[] => Array.from({ length: count }, () => ({ ...about }))

it('say what separates repliers from the others, with a back-test, once there is enough, and change nothing [RSL-07]', async () => {
  const team = await world.team()
  const source = await capture(world, team, [
    ...some(20, { title: 'Head of Growth', country: 'DE' }),
    ...some(35, { title: 'Accountant', country: 'FR' }),
  ])
  const [growth, others] = [source.handles.slice(0, 20), source.handles.slice(20)]
  const reported = (handles: readonly string[], outcome: string) =>
    handles.map((one) => ({ profileUrl: urlOf(one), outcome }))
  await record(
    team,
    ...reported(growth, 'sent'),
    ...reported(others.slice(0, 20), 'sent'),
    ...reported(growth.slice(0, 12), 'replied'),
  )
  const read = (): Promise<Answer['body']> => ok(team.get('/results/suggestions'))
  expect(await read()).toEqual({
    people: 40,
    replied: 12,
    enough: false,
    minimum: { people: 50, replied: 10 },
    suggestions: [],
  })
  await record(team, ...reported(others.slice(20), 'sent'), ...reported(others.slice(0, 1), 'replied'))
  const answer = await read()
  expect(answer).toMatchObject({ people: 55, replied: 13, enough: true })
  expect(answer.suggestions.find(({ row }: Answer['body']) => row.value === 'growth')).toEqual({
    row: { column: 'jobTitle', operator: 'contains', value: 'growth' },
    why: 'Of people with a job title with “growth” 60 % replied (12 of 20), of the others 3 % (1 of 35).',
    people: 55,
    with: { people: 20, replied: 12, rate: 0.6 },
    without: { people: 35, replied: 1, rate: 0.0286 },
    lift: 21,
    backtest: { keptReplied: 12, replied: 13, kept: 20, people: 55, keptRate: 0.6, rate: 0.2364 },
  })
  // A suggested row can be saved as it is; nothing is saved before that.
  expect((await ok(team.get(`/sources/${source.id}/icp`))).rules).toEqual([])
  for (const { row } of answer.suggestions)
    expect(await ok(team.put(`/sources/${source.id}/icp`, { rules: [row], dryRun: true }))).toBeDefined()
})

it('tell everybody apart by team, and leave out who was never reached [RSL-07]', async () => {
  const team = await world.team()
  const source = await capture(world, team, some(2, {}))
  await record(team, { profileUrl: urlOf(source.handles[0]!), outcome: 'bounced' })
  expect(await ok(team.get('/results/suggestions'))).toMatchObject({ people: 0, replied: 0 })
})
