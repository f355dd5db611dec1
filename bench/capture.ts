/** Lead rows captured and charged per second by a warm process, compared with bare inserts of the same rows. */
import { sql } from 'kysely'
import { trackSource } from '../packages/server/src/modules/sources/index.ts'
import { bareCapture, networkOfReactions, openStage, option, report, seconds, workAll } from './support.ts'

const sources = option('sources', 8)
const [posts, pages, perPage, lanes] = [15, 3, 100, 4]

const network = networkOfReactions({ posts, pages, perPage })
const stage = await openStage({ overrides: { network } })
const { service } = stage
const db = service.database.root

/** Returns seconds. */
async function captureAll(teamId: string, count: number): Promise<number> {
  const caller = { teamId, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
  for (let nth = 1; nth <= count; nth++)
    await service.unitOfWork((tx) =>
      trackSource(tx, caller, { type: 'person', username: `bench-${nth}`, named: {}, confirmSpend: false }),
    )
  return seconds(() => workAll(service.steps.capture, lanes))
}

await captureAll((await stage.team()).id, 1)
const team = await stage.team()
const took = await captureAll(team.id, sources)
const { rows } = await sql<{ captured: number; wrong: boolean }>`
  select l.captured::int as captured,
    a.spent <> l.captured or e.charges <> l.captured or e.amount <> a.granted - a.spent as wrong
  from credit_account a
  cross join lateral (select count(*) as captured from lead where team_id = a.team_id) l
  cross join lateral (select count(*) filter (where kind = 'charge') as charges, sum(amount) as amount
    from credit_entry where team_id = a.team_id) e
  where a.team_id = ${team.id}`.execute(db)
const { captured, wrong } = rows[0]!
if (wrong) throw new Error('the ledger does not add up')
// The bare inserts also repeat the first team's rows.
const all = captured + posts * pages * perPage
const bare = all / (await bareCapture(stage, perPage, lanes))
await stage.close()
const rate = captured / took
report({
  capture: {
    measured: `${Math.round(rate)} rows/s over ${captured}`,
    beside: `${Math.round(bare)} rows/s: bare inserts into all four tables`,
    value: rate / bare,
  },
})
