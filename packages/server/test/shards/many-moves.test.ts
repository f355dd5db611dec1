/** Many teams of which some move between shards while all work: money and leads add up at the end. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { capture } from '../scenarios/outreach-stage.ts'
import { amount } from '../world/amount.ts'
import { useWorld, type Team } from '../world/world.ts'
import { contentsOf, openMover, otherShard, type Mover } from './stage.ts'

const world = useWorld({ config: { shards: 3 } })
let mover: Mover
beforeAll(() => {
  mover = openMover(world)
})
afterAll(() => mover.close())

/** Idle teams are spread evenly over three shards; every fourth moving team captures during its move. */
const [teamsMade, moves, credits] = [amount(41, 201), amount(4, 20), 100]
const captures = moves / 4

/** Makes idle teams, equally many in each shard, as copies of a team there that has only its credits. */
async function makeIdleTeams(like: readonly Team[], count: number): Promise<void> {
  const { root } = world.database
  for (const { id } of like) {
    const shard = await world.shardOf({ id })
    const { rows } = await sql<{ id: string }>`
      insert into team select n.* from team t cross join generate_series(1, ${count / like.length}::integer) i
        cross join lateral jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'name', 'Idle ' || i)) n
      where t.id = ${id} returning id`.execute(root)
    const made = rows.map((row) => row.id)
    for (const table of ['credit_account', 'credit_entry'])
      await sql`
        insert into ${sql.table(`${shard}.${table}`)} select n.* from ${sql.table(`${shard}.${table}`)} r
          cross join unnest(${made}::uuid[]) as m (id)
          cross join lateral jsonb_populate_record(r, jsonb_build_object('team_id', m.id)) n
        where r.team_id = ${id}`.execute(root)
  }
}

/** The sums granted to, spent by and in the ledgers of all teams. */
async function money() {
  const each = world.service.shards.names.map(
    (shard) => sql`
      select a.granted, a.spent, (select coalesce(sum(e.amount), 0) from ${sql.table(`${shard}.credit_entry`)} e
        where e.team_id = a.team_id and e.account = a.account) as lines
      from ${sql.table(`${shard}.credit_account`)} a where a.account = 'team'`,
  )
  const { rows } = await sql<{ granted: number; spent: number; lines: number; accounts: number }>`
    select sum(granted)::integer as granted, sum(spent)::integer as spent, sum(lines)::integer as lines,
      count(*)::integer as accounts
    from (${sql.join(each, sql` union all `)}) a`.execute(world.database.root)
  return rows[0]!
}

it(`${moves} moves among ${teamsMade} teams under load lose nothing and charge nothing twice`, async () => {
  const working: Team[] = []
  while (working.length < moves + 4) working.push(await world.team({ credits }))
  // New teams go to the shard with the fewest, so the first three are in one each.
  await makeIdleTeams(working.slice(0, 3), teamsMade - working.length)
  for (const team of working) await capture(world, team, [{}])
  const granted = await money()
  expect(granted).toMatchObject({ accounts: teamsMade, granted: teamsMade * credits, spent: working.length })
  let isOver = false
  const statuses = new Set<number>()
  const load = async (own: readonly Team[]): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      const team = own[turn % own.length]!
      if (turn % 4 === 0) statuses.add((await team.post('/exports', { format: 'csv' })).status)
      statuses.add((await team.get('/leads')).status)
    }
  }
  const loads = [load(working.slice(0, moves / 2)), load(working.slice(moves / 2))]
  for (let turn = 0; turn < moves; turn += 1) {
    const team = working[turn]!
    await mover.move(team, await otherShard(world, team))
    if (turn % 4 === 0) await capture(world, team, [{}])
  }
  isOver = true
  await Promise.all(loads)
  expect([...statuses].filter((status) => ![200, 409, 429, 503].includes(status))).toEqual([])
  await world.drain()
  await mover.clean()
  const after = await money()
  expect(after).toEqual({
    accounts: teamsMade,
    granted: teamsMade * credits,
    spent: working.length + captures,
    lines: teamsMade * credits - working.length - captures,
  })
  for (const [turn, team] of working.entries()) {
    expect((await team.get('/leads')).body.leads).toHaveLength(turn < moves && turn % 4 === 0 ? 2 : 1)
    const shard = await world.shardOf(team)
    for (const other of world.service.shards.names)
      if (other !== shard) expect(await contentsOf(world, team.id, other)).toEqual({})
  }
  // Work that a worker finished on the old copy is void and was repeated in the new shard; `reason` may say so.
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::integer as count from team_move group by 1`.execute(world.database.root)
  expect(rows).toEqual([{ state: 'done', count: moves }])
}, 120_000)
