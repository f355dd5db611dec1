/**
 * A due team gets one batch of every rule; with more to remove it is due again behind all others, so that years of rows delay
 * nobody. All state is in the database.
 */
import { readKeepDays, keptDays, type KeepDays, type TeamKeepRule } from '../../modules/accounts/index.ts'
import { queryAll, queryValue } from '../../platform/db/query.ts'
import type { Tx, Reader } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { keptSince } from '../../platform/retention.ts'
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { teamRules, type TeamRule } from './rules.ts'
import { sql } from 'kysely'
import { isInThisShard } from '../../platform/db/shards.ts'
import type { Condition } from '../../platform/db/conditions.ts'

type RetentionDeps = RoundDeps & {
  readonly faultPoint: FaultPointHook
  readonly keepDays?: KeepDays | undefined
}

const dayMs = 86_400_000
/** The teams per query, and the turns per round, bounded because the clock has other tasks. */
const teamsAsked = 100
const turnsARound = 400

/** The most rows per unit of work, not counting its last batch. */
const rowsAUnit = 500

type NamedRules = readonly (readonly [TeamKeepRule, TeamRule])[]
type Turn = { removed: number; more: boolean; readonly places: Record<string, Place> }

const rests = ({ everyDays }: TeamRule, place: Place, now: Date): boolean =>
  everyDays !== undefined && place.ended !== undefined && now.getTime() - Date.parse(place.ended) < everyDays * dayMs

/** Returns the rules that are left once a unit has removed enough. */
async function purgeSome(
  tx: Tx,
  deps: RetentionDeps,
  teamId: string,
  turn: Turn,
  rules: NamedRules,
  own: KeepDays,
): Promise<NamedRules> {
  const doneBefore = turn.removed
  for (const [index, [name, rule]] of rules.entries()) {
    if (turn.removed - doneBefore >= rowsAUnit) return rules.slice(index)
    const place = turn.places[name] ?? {}
    if (rests(rule, place, tx.now)) continue
    const purged = await rule.purge(tx, {
      teamId,
      before: keptSince(tx.now, keptDays(name, deps.keepDays ?? {}, own)),
      limit: rule.limit,
      place: place.at ?? null,
    })
    if (purged.removed > 0) {
      tx.count('rows_purged', name, purged.removed)
      await deps.faultPoint('retention.purged')
    }
    turn.removed += purged.removed
    turn.more ||= purged.more
    if (rule.everyDays !== undefined)
      turn.places[name] = purged.place === undefined ? { ended: tx.now.toISOString() } : { at: purged.place }
  }
  return []
}

async function takeTurn(deps: RetentionDeps, team: DueTeam): Promise<number> {
  const turn: Turn = { removed: 0, more: false, places: { ...team.places } }
  const own = await readKeepDays(deps.db, team.teamId)
  let left = Object.entries(teamRules) as unknown as NamedRules
  do {
    left = await deps.unitOfWork(async (tx) => {
      const rest = await purgeSome(tx, deps, team.teamId, turn, left, own)
      if (rest.length === 0) await saveTurn(tx, team.teamId, !turn.more, turn.places)
      return rest
    })
  } while (left.length > 0)
  return turn.removed
}

/** Applies the rules to due teams, at most 400 turns; returns how many rows were removed. */
export async function purgeTeams(deps: RetentionDeps): Promise<number> {
  let turns = 0
  return eachTeam(deps, {
    task: 'purge old rows of teams',
    find: (now, without) =>
      turns >= turnsARound ? Promise.resolve([]) : listDueTeams(deps.db, { now, without, limit: teamsAsked }),
    forTeam: (_teamId, [team]) => {
      turns += 1
      return takeTurn(deps, team!)
    },
  })
}

/** Under a day, so that each team has a turn daily, whenever the clock runs. */
const betweenMs = 20 * 3_600_000

/** Where a rule that walks a table continues, or when it last reached the end. */
type Place = { readonly at?: string; readonly ended?: string }

type DueTeam = { readonly teamId: string; readonly places: Readonly<Record<string, Place>> }

const dueSince = sql`coalesce(r.checked_at, t.created_at)`

const dueTeams = (now: Date) =>
  sql`team t left join retention_turn r on r.team_id = t.id where t.closed_at is null and ${isInThisShard()} and ${dueSince} <= ${new Date(now.getTime() - betweenMs)}`

/** SQL: some team is due. */
export const teamsDue = (now: Date): Condition => sql<boolean>`exists (select 1 from ${dueTeams(now)})`

/** Due teams, the longest waiting first, except `without`. */
const listDueTeams = (db: Reader, { now, without, limit }: { now: Date; without: readonly string[]; limit: number }) =>
  queryAll<DueTeam>(db)`
    select t.id as "teamId", coalesce(r.places, '{}'::jsonb) as places
    from ${dueTeams(now)} and t.id <> all(${[...without]}::uuid[])
    order by ${dueSince}, t.id limit ${limit}`

/** Records a turn. A team that is not `finished` is due at once, behind all others. */
async function saveTurn(
  tx: Tx,
  teamId: string,
  finished: boolean,
  places: Readonly<Record<string, Place>>,
): Promise<void> {
  const at = finished ? tx.now : new Date(tx.now.getTime() - betweenMs)
  await sql`
    insert into retention_turn (team_id, checked_at, places)
    values (${teamId}, ${at}, ${JSON.stringify(places)}::jsonb)
    on conflict (team_id) do update set checked_at = excluded.checked_at, places = excluded.places`.execute(tx.db)
}

/** How many seconds the longest waiting team has been due; 0 when none is. */
export async function readLateness(db: Reader, now: Date): Promise<number> {
  const since = await queryValue<Date | null>(db)`
    select min(${dueSince}) as since from team t left join retention_turn r on r.team_id = t.id
    where t.closed_at is null and ${isInThisShard()}`
  return since ? Math.max(0, (now.getTime() - since.getTime() - betweenMs) / 1_000) : 0
}
