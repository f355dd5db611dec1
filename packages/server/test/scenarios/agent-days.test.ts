/** What an agent's sources spend and whom they bring, day after day (in the long run for ten days). */
import { expect, it } from 'vitest'
import { amount } from '../world/amount.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { agentOf, ok, put, start } from './agent-stage.ts'

/** With two days, 24 hours can overlap the spending of both; with three, one has neighbours on both sides. */
const days = amount(3, 10)

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { sandboxSeed: 'ten days of an agent' } })

it('never spends more than its plan in any 24 hours, the people search apart, over days of a growing network ' +
  '[AGT-42, AGT-39, CRD-24, CRD-26, SPD-17, AGT-36]', async () => {
  const team = await world.team({ credits: 100_000 })
  await put(team, {
    topics: ['sales automation', 'demand generation'],
    titles: ['Founder', 'Head', 'Director'],
    dailyCredits: 100,
  })
  const { launch } = await ok(start(team))
  expect(launch.plan).toEqual({ perTopic: 25, people: 2, total: 100 })
  await world.drain()
  for (let step = 0; step < 2 * days; step++) await world.advance('12h')
  const agent = await agentOf(team)
  expect(agent).toMatchObject({ status: 'active', peopleAdded: true })
  const { rows } = await world.database.pool.query(
    `select created_at as at, source_id, category from credit_entry where team_id = $1 and kind = 'charge' order by created_at`,
    [team.id],
  )
  const sweeps = rows.filter((row) => row.source_id !== null)
  const own = new Set(agent.sources.map((source: { id: string }) => source.id))
  expect(sweeps.every((row) => own.has(row.source_id))).toBe(true)
  const dayMs = 86_400_000
  const worst = Math.max(
    ...sweeps.map(
      (first) => sweeps.filter((row) => row.at >= first.at && row.at.getTime() < first.at.getTime() + dayMs).length,
    ),
  )
  expect(worst).toBeGreaterThan(0)
  expect(worst).toBeLessThanOrEqual(launch.plan.total)
  expect(new Set(sweeps.map((row) => row.at.toISOString().slice(0, 10))).size).toBeGreaterThanOrEqual(days - 1)
  // The one-off search for people costs one credit for each person found, however much it reads.
  const search = await ok(team.get(`/discover/${launch.discoverRun}`))
  expect(rows.filter((row) => row.category === 'discover')).toHaveLength(search.found)
  expect(search.found).toBeLessThanOrEqual(launch.plan.people)
  const spent = await world.database.pool.query(
    'select sum(credits_spent)::int as credits from sync where source_id = any($1)',
    [[...own]],
  )
  expect(spent.rows).toEqual([{ credits: sweeps.length }])
  expect(await team.balance()).toBe(100_000 - rows.length)
  const page = await ok(team.get('/agent/leads?limit=200'))
  expect(page.checked).toBeGreaterThan(10 * days)
  expect(page.firstRun.done).toBe(true)
}, 400_000)
