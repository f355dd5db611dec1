/**
 * Captured lead rows a second against a bare multi-row insert of the same rows in the same database, by a process that has captured
 * before; what its first rows come to, while its code is not compiled yet, stands beside it.
 */
import { sql } from 'kysely'
import { trackSource } from '../packages/server/src/modules/sources/index.ts'
import { networkOfReactions } from './networks.ts'
import {
  bareCapture,
  cost,
  countStatements,
  openStage,
  option,
  pageCost,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
} from './support.ts'

const sources = option('sources', 20)
const postsPerSource = 15
const pages = option('pages', 3)
const perPage = 100

const stage = await openStage({ overrides: { network: networkOfReactions({ posts: postsPerSource, pages, perPage }) } })
const { service } = stage
const team = await stage.team()
const lanes = option('lanes', 4)

/** Tracks so many people for a team, captures everything they have and tells what that cost. */
async function captureAll(teamId: string, count: number) {
  const caller = { teamId, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
  for (let index = 1; index <= count; index++)
    await service.unitOfWork((tx) =>
      trackSource(tx, caller, { type: 'person', username: `bench-${index}`, named: {}, confirmSpend: false }),
    )
  return await cost(stage, async () => {
    const step = service.steps.capture
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while ((await step()) === 'worked') {
          /* next page */
        }
      }),
    )
  })
}

const first = await captureAll((await stage.team()).id, 1)
await resetStatements(stage.tools.pool)
const spent = await captureAll(team.id, sources)
const took = spent.seconds
const statements = await topStatements(stage.tools.pool)
const asked = await countStatements(stage.tools.pool)
const db = service.database.root
const { rows } = await sql<{ count: number }>`select count(*)::bigint as count from lead
    where team_id = ${team.id}`.execute(db)
const captured = rows[0]!.count
const { rows: wrong } = await sql`
  select a.spent, l.charges, l.amount, a.granted
  from credit_account a, lateral (select count(*) filter (where kind = 'charge') as charges, sum(amount) as amount
    from credit_entry e where e.team_id = a.team_id) l
  where a.team_id = ${team.id} and (a.spent <> l.charges or a.spent <> ${captured}
      or l.amount <> a.granted - a.spent)`.execute(db)
if (wrong.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(wrong)}`)

const bare = await bareCapture(stage, { perPage, lanes })
await stage.close()

const rate = captured / took
const pagesRead = sources * postsPerSource * pages
console.log(pageCost(spent, asked, { rows: captured, pages: pagesRead }))
printFigures('Capture', [
  {
    name: 'lead rows/s (with people, charges, tasks, checkpoints)',
    measured: `${Math.round(rate)}/s over ${captured} rows`,
    limit: `${Math.round(captured / (bare.leads + bare.others))}/s: bare inserts of the rows of all four tables`,
    ratio: rate / (captured / (bare.leads + bare.others)),
    aim: '>= 0.5',
    reached: rate / (captured / (bare.leads + bare.others)) >= 0.5,
  },
  {
    name: 'the first rows of a process',
    measured: `${Math.round((postsPerSource * pages * perPage) / first.seconds)}/s`,
    limit: '',
    ratio: null,
    aim: '',
    reached: null,
  },
  {
    name: 'the same against the lead table alone',
    measured: `${Math.round(rate)}/s`,
    limit: `${Math.round(captured / bare.leads)}/s: bare insert of the lead rows`,
    ratio: rate / (captured / bare.leads),
    aim: '',
    reached: null,
  },
])
printStatements('Where the database spent its time', statements)
