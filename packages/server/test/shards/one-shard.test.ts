/** With one shard nothing about moves is queried: no extra statement per request, unit of work or claim. */
import { expect, it } from 'vitest'
import { capture } from '../scenarios/outreach-stage.ts'
import { collectStatements, statementsAsked } from '../world/statements.ts'
import { useWorld } from '../world/world.ts'

collectStatements()
const world = useWorld({ config: { shards: 1 } })

it('a database with one shard is asked nothing about moves and shares no row of a team', async () => {
  const team = await world.team({ credits: 100 })
  await capture(world, team, [{}, {}])
  expect((await team.post('/exports', { format: 'csv' })).status).toBe(200)
  await world.advance('25h')
  const asked = statementsAsked()
  expect(asked.length).toBeGreaterThan(100)
  // Snapshots of the test world name every table; statements about moves select certain rows.
  const aboutMoves = /team_move (?:m\b|where\b)|here\.shard|of t skip locked/
  expect(asked.filter((text) => aboutMoves.test(text))).toEqual([])
})
