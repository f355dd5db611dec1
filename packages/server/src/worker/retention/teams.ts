/**
 * Going through the old rows of teams. A team that is due has one batch of every rule, some hundred rows in a unit of
 * work; one with more to remove is
 * due again behind all the others, so a team with years of rows keeps nobody waiting. Nothing is remembered but in the database: a
 * process that dies undoes the unit under way, and the next begins with that team.
 */
import { readKeepDays, keptDays, type KeepDays, type TeamKeepRule } from '../../modules/accounts/index.ts'
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
  /** Days of the service, where they differ from the defaults. */
  readonly keepDays?: KeepDays | undefined
}

const dayMs = 86_400_000
/** Teams that are asked for at once, and turns in one round: the clock has other things to do. */
const teamsAsked = 100
const turnsARound = 400

/** Rows that one unit of work removes at most, but for its last batch. */
const rowsAUnit = 500

type Turn = { removed: number; more: boolean; readonly places: Record<string, Place> }

const rests = ({ everyDays }: TeamRule, place: Place, now: Date): boolean =>
  everyDays !== undefined && place.ended !== undefined && now.getTime() - Date.parse(place.ended) < everyDays * dayMs

/** Works on rules until a unit has removed enough; answers those that are left. */
async function purgeSome(
  deps: RetentionDeps,
  {
    tx,
    teamId,
    turn,
    rules,
    own,
  }: { tx: Tx; teamId: string; turn: Turn; rules: readonly (readonly [TeamKeepRule, TeamRule])[]; own: KeepDays },
): Promise<typeof rules> {
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

/** One batch of every rule for a team; its turn is noted with the last of them. */
async function takeTurn(deps: RetentionDeps, team: DueTeam): Promise<number> {
  const turn: Turn = { removed: 0, more: false, places: { ...team.places } }
  const own = await readKeepDays(deps.db, team.teamId)
  let left: readonly (readonly [TeamKeepRule, TeamRule])[] = Object.entries(teamRules) as [TeamKeepRule, TeamRule][]
  do {
    left = await deps.unitOfWork(async (tx) => {
      const rest = await purgeSome(deps, { tx, teamId: team.teamId, turn, rules: left, own })
      if (rest.length === 0) await saveTurn(tx, team.teamId, { finished: !turn.more, places: turn.places })
      return rest
    })
  } while (left.length > 0)
  return turn.removed
}

/** Goes through the teams that are due, at most 400 turns; answers how many rows went. */
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

/** How long after a round the next of a team is due: once a day, whenever the clock comes by. */
const betweenMs = 20 * 3_600_000

/** Where a rule that walks a table stands: the place it goes on at, or when it last came to the end. */
type Place = { readonly at?: string; readonly ended?: string }

type DueTeam = { readonly teamId: string; readonly places: Readonly<Record<string, Place>> }

const dueSince = sql`coalesce(r.checked_at, t.created_at)`

/** SQL: teams that are due. */
const dueTeams = (now: Date) =>
  sql`team t left join retention_turn r on r.team_id = t.id where t.closed_at is null and ${isInThisShard()} and ${dueSince} <= ${new Date(now.getTime() - betweenMs)}`

/** True when some team is due. */
export const teamsDue = (now: Date): Condition => sql<boolean>`exists (select 1 from ${dueTeams(now)})`

/** Teams that are due, the one waiting longest first, without these. */
async function listDueTeams(
  db: Reader,
  { now, without, limit }: { now: Date; without: readonly string[]; limit: number },
): Promise<DueTeam[]> {
  const { rows } = await sql<DueTeam>`
    select t.id as "teamId", coalesce(r.places, '{}'::jsonb) as places
    from ${dueTeams(now)} and t.id <> all(${[...without]}::uuid[])
    order by ${dueSince}, t.id limit ${limit}`.execute(db)
  return rows
}

/** Notes that a team had its turn. One that is not `finished` is due again at once, behind all others that are due. */
async function saveTurn(
  tx: Tx,
  teamId: string,
  turn: { readonly finished: boolean; readonly places: Readonly<Record<string, Place>> },
): Promise<void> {
  const at = turn.finished ? tx.now : new Date(tx.now.getTime() - betweenMs)
  await sql`
    insert into retention_turn (team_id, checked_at, places)
    values (${teamId}, ${at}, ${JSON.stringify(turn.places)}::jsonb)
    on conflict (team_id) do update set checked_at = excluded.checked_at, places = excluded.places`.execute(tx.db)
}

/** For how many seconds the team that waits longest has been due; 0 when none is. */
export async function readLateness(db: Reader, now: Date): Promise<number> {
  const { rows } = await sql<{
    since: Date | null
  }>`select min(${dueSince}) as since from team t left join retention_turn r on r.team_id = t.id
    where t.closed_at is null and ${isInThisShard()}`.execute(db)
  const since = rows[0]?.since
  return since ? Math.max(0, (now.getTime() - since.getTime() - betweenMs) / 1_000) : 0
}
