/**
 * How far pushes have come, as it is kept with them. Triggers write differences into `push_change`, a row of each
 * transaction that changes leads of a push; here they are added to `push_count`, and a push from before that is counted from its
 * leads, once. What is kept of a push is at every instant the sum of both.
 */
import { sql } from 'kysely'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { countedOf, keptOf, type PushKey } from './push-progress.ts'

/** Teams that are asked for at once, and differences that one unit of work adds up. */
const teamsAsked = 100
const changesAUnit = 20_000

/** True when there is something to add up, or to count. */
export const pushCountsDue = (): Condition => sql<boolean>`(
  exists (select 1 from push_change where team_id <> ${sampleTeamId}::uuid)
  or exists (select 1 from push where not counted and team_id <> ${sampleTeamId}::uuid))`

/** Teams with some of it, without these. */
async function listTeams(db: Reader, without: readonly string[]): Promise<{ teamId: string }[]> {
  const { rows } = await sql<{ teamId: string }>`
    select team_id as "teamId" from push_change where team_id <> all(${[...without]}::uuid[])
    union select team_id from push where not counted and team_id <> all(${[...without]}::uuid[])
    limit ${teamsAsked}`.execute(db)
  return rows
}

/** Pushes of a team that were never counted. */
async function listUncounted(db: Reader, teamId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from push where team_id = ${teamId} and not counted order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Counts a push from its leads. Written is what they come to beyond what is kept already, both of one instant: what commits
 * meanwhile keeps its differences, which the instant has not seen. Of two who do so at once one writes.
 */
export async function countPush(tx: Tx, which: PushKey): Promise<void> {
  const { teamId, pushId } = which
  await sql`
    with taken as (
      update push set counted = true where team_id = ${teamId} and id = ${pushId} and not counted returning id),
    missing as materialized (
      select state, awaits_enrichment, sum(leads) as leads from (
        ${countedOf(which)} union all select state, awaits_enrichment, -leads from (${keptOf(which)}) kept) found
      group by 1, 2 having sum(leads) <> 0)
    insert into push_count as c (team_id, push_id, state, awaits_enrichment, leads)
    select ${teamId}, taken.id, m.state, m.awaits_enrichment, m.leads from missing m cross join taken
    on conflict (team_id, push_id, state, awaits_enrichment) do update set leads = c.leads + excluded.leads`.execute(
    tx.db,
  )
}

/** Adds differences of a team to what is kept of its pushes, some of them; answers how many. Those of a push that is gone go. */
export async function foldPushChanges(tx: Tx, teamId: string, limit = changesAUnit): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    with chosen as materialized (
      select push_id, mark, state, awaits_enrichment from push_change where team_id = ${teamId}
      order by push_id, mark limit ${limit} for update skip locked),
    taken as (
      delete from push_change c using chosen o
      where c.team_id = ${teamId} and c.push_id = o.push_id and c.mark = o.mark and c.state = o.state
        and c.awaits_enrichment = o.awaits_enrichment
      returning c.push_id, c.state, c.awaits_enrichment, c.leads),
    there as materialized (
      select id from push where team_id = ${teamId} and id in (select push_id from taken) order by id for key share),
    added as (
      insert into push_count as c (team_id, push_id, state, awaits_enrichment, leads)
      select ${teamId}, t.push_id, t.state, t.awaits_enrichment, sum(t.leads) from taken t join there on there.id = t.push_id
      group by 2, 3, 4 having sum(t.leads) <> 0 order by 2, 3, 4
      on conflict (team_id, push_id, state, awaits_enrichment) do update set leads = c.leads + excluded.leads)
    select count(*)::integer as taken from taken`.execute(tx.db)
  return rows[0]!.taken
}

/** Keeps what is kept of pushes short, team by team; answers how many differences were added up and pushes counted. */
export const keepPushCounts = (deps: RoundDeps & { readonly faultPoint: FaultPointHook }): Promise<number> =>
  eachTeam(deps, {
    task: 'add up how far pushes have come',
    onceEach: true,
    find: (_now, without) => listTeams(deps.db, without),
    forTeam: async (teamId) => {
      const uncounted = await listUncounted(deps.db, teamId)
      for (const pushId of uncounted)
        await deps.unitOfWork(async (tx) => {
          await countPush(tx, { teamId, pushId })
          await deps.faultPoint('push.counted')
        })
      let [all, some] = [uncounted.length, changesAUnit]
      for (; some >= changesAUnit; all += some)
        some = await deps.unitOfWork(async (tx) => {
          const taken = await foldPushChanges(tx, teamId)
          await deps.faultPoint('push.counted')
          return taken
        })
      return all
    },
  })

/** Forgets what is kept of a push that is gone. */
export async function forgetPushCounts(tx: Tx, teamId: string, pushId: string): Promise<void> {
  await sql`
    with changes as (delete from push_change where team_id = ${teamId} and push_id = ${pushId})
    delete from push_count where team_id = ${teamId} and push_id = ${pushId}`.execute(tx.db)
}

/** Pushes behind one, in the order of their keys. */
export async function listPushes(db: Reader, after: PushKey | null, limit: number): Promise<PushKey[]> {
  const behind = after ? sql`(team_id, id) > (${after.teamId}::uuid, ${after.pushId}::uuid)` : sql`true`
  const { rows } = await sql<PushKey>`
    select team_id as "teamId", id as "pushId" from push where counted and ${behind}
    order by team_id, id limit ${limit}`.execute(db)
  return rows
}

/** What is kept of a push against what its leads come to, of one instant: the leads too many or too few, by state. */
export async function pushDrift(db: Reader, which: PushKey): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ state: string; leads: number }>`
    select state || case when awaits_enrichment then ' for an enrichment' else '' end as state, sum(leads)::float8 as leads
    from (${keptOf(which)} union all select state, awaits_enrichment, -leads from (${countedOf(which)}) counted) both_ways
    where exists (select 1 from push where team_id = ${which.teamId} and id = ${which.pushId} and counted)
    group by 1 having sum(leads) <> 0`.execute(db)
  return Object.fromEntries(rows.map(({ state, leads }) => [state, leads]))
}
