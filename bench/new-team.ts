/**
 * Capture for a team of which the planner knows nothing yet, in a database that is full of others: PostgreSQL takes such a team to have
 * next to no rows, and every index that begins with the team to be as good as the right one. `node bench/new-team.ts [--others 300000]
 * [--sources 10]`. The limit is the same work once the planner knows of a team.
 */
import { trackSource } from '../packages/server/src/modules/sources/index.ts'
import { networkOfReactions } from './networks.ts'
import { openStage, option, printFigures, printStatements, resetStatements, seconds, topStatements } from './support.ts'
import { layDownPeople } from './waiting-people.ts'

const others = option('others', 300_000)
const sources = option('sources', 10)
const [posts, pages, perPage] = [15, 3, 100]

const stage = await openStage({ overrides: { network: networkOfReactions({ posts, pages, perPage }) } })
const { service, tools } = stage
for (let nth = 0; nth < 3; nth++) {
  const { id } = await stage.team()
  await layDownPeople(stage, id, others / 3)
  await tools.pool.query('delete from enrichment_task where team_id = $1', [id])
  // What they were charged for, which is as much again.
  await tools.pool.query(
    `insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, created_at)
     select team_id, id, 'team', 'source:' || source_id || ':person:' || person_urn, 'charge', -1, 'profile', source_id, created_at
     from lead where team_id = $1`,
    [id],
  )
}

async function capture(teamId: string, from: number): Promise<number> {
  const caller = { teamId, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
  for (let nth = 1; nth <= sources; nth++)
    await service.unitOfWork((tx) =>
      trackSource(tx, caller, { type: 'person', username: `bench-${from + nth}`, named: {}, confirmSpend: false }),
    )
  const took = await seconds(async () => {
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await service.steps.capture()) === 'worked') {
          /* next page */
        }
      }),
    )
  })
  return (sources * posts * pages * perPage) / took
}

// The first team is known after what it captures first, while the code of this process is being compiled.
const first = await stage.team()
await capture(first.id, 0)
await tools.pool.query('vacuum analyze')
await resetStatements(tools.pool)
const known = await capture(first.id, 100)
printStatements('Where the database spent its time, a known team', await topStatements(tools.pool, 10))
await resetStatements(tools.pool)
const unknown = await capture((await stage.team()).id, 0)
printStatements('Where the database spent its time, a new team', await topStatements(tools.pool, 10))
await stage.close()
printFigures('A new team', [
  {
    name: `capture for a new team among ${others} leads of others`,
    measured: `${Math.round(unknown)} rows/s`,
    limit: `${Math.round(known)} rows/s: for a team that the planner knows`,
    ratio: unknown / known,
    aim: '>= 0.7',
    reached: unknown / known >= 0.7,
  },
])
