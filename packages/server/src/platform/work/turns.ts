/**
 * Turns: `work_turn`, written here only, has a row per team and kind of work, so that a claim costs the same however much waits.
 * An index yields the ready team that was served longest ago, another its oldest work.
 *
 *   ready    the team may have something claimable
 *   at rest  it has nothing; checked again at `due_at` (service time), at `look_ms` (system time, when leases may have expired), or
 *            when it is marked
 *
 * No work is lost: a unit of work that makes work due ends by marking the team. Marking a ready team locks its row `for key
 * share`, so marks never wait for each other. Putting a team to rest takes the row `for update` and then looks once more, so a
 * mark either comes before that look, or waits and sees the team at rest. `healTurns` finds work that was never marked (by an
 * older version, or by hand).
 */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { JobKind } from '../../job-catalog.ts'
import type { Database } from '../db/schema.ts'
import { listSealedTeams } from '../db/fence.ts'
import { queryAll, queryExists, queryOne } from '../db/query.ts'
import type { Reader, Tx } from '../db/tx.ts'
import { sampleTeamId } from '../sample-team.ts'
import { dueAtOf, isAllowed, isClaimable, isFree, leaseMs, type WorkRows } from './rows.ts'
import { joinTeam, teamsBehind } from './rows.ts'

export type Mark = { readonly kind: JobKind; readonly teamId: string }

/** Marks teams as ready, except the sample team. Runs last in a unit of work; all units use the same lock order. */
export async function markTeams(db: Transaction<Database>, marks: readonly Mark[]): Promise<void> {
  const named = marks.filter(({ teamId }) => teamId !== sampleTeamId)
  if (named.length === 0) return
  const sorted = named.toSorted((a, b) => (`${a.kind} ${a.teamId}` < `${b.kind} ${b.teamId}` ? -1 : 1))
  await sql`
    with wanted as materialized (
      select kind, team_id
      from unnest(${sorted.map(({ kind }) => kind)}::text[], ${sorted.map(({ teamId }) => teamId)}::uuid[])
        as m (kind, team_id)),
    shared as materialized (
      select t.kind, t.team_id, t.ready from wanted join work_turn t using (kind, team_id)
      order by t.kind, t.team_id for key share of t)
    insert into work_turn (team_id, kind, served, ready)
    select w.team_id, w.kind, 0, true from wanted w
    where not exists (select 1 from shared s where s.kind = w.kind and s.team_id = w.team_id and s.ready)
    order by w.kind, w.team_id
    on conflict (team_id, kind) do update set ready = true, due_at = null, look_ms = null`.execute(db)
}

/** `mine` are locked by this unit of work; without any, `others` are teams that other units are claiming from. */
type Picked = { readonly mine: string[]; readonly others: string[]; readonly woken: boolean }

const wokenAtOnce = 50

/** Picks the ready teams of a kind that were served longest ago. */
export async function pickTeams(tx: Tx, kind: JobKind, of: { nowMs: number; most: number }): Promise<Picked> {
  const { nowMs, most } = of
  const sealed = await listSealedTeams(tx.db, nowMs)
  const unsealed = sealed.length === 0 ? sql`` : sql`and team_id <> all(${sealed}::uuid[])`
  const { mine, others, woken } = (await queryOne<{ mine: string[]; others: string[] | null; woken: boolean }>(tx.db)`
    with woken as (
      update work_turn set ready = true, due_at = null, look_ms = null where kind = ${kind} and team_id in (
        select team_id from work_turn
        where kind = ${kind} and not ready and (due_at <= ${tx.now} or look_ms <= ${nowMs})
        limit ${wokenAtOnce} for no key update skip locked) returning 1),
    mine as materialized (
      select team_id from work_turn where kind = ${kind} and ready ${unsealed} order by served limit ${most}
      for no key update skip locked)
    select array(select team_id from mine) as mine, exists (select 1 from woken) as woken,
      case when exists (select 1 from mine) then null
        else (select array_agg(team_id)
          from (select team_id from work_turn where kind = ${kind} and ready ${unsealed}
            order by served limit ${most}) o) end as others`)!
  return { mine, others: others ?? [], woken }
}

/** SQL: moves teams behind all others (`served`: the time, or more when the clock lags), unless another unit is doing so. */
export const turnOf = (kind: JobKind, teams: ReturnType<typeof sql>, now: Date) => sql`
  update work_turn set served = greatest(work_turn.served + 1, ${now.getTime()}::bigint) from (
    select team_id from work_turn where kind = ${kind} and team_id in (${teams}) for no key update skip locked) turned
  where work_turn.kind = ${kind} and work_turn.team_id = turned.team_id`

/** Moves a team behind all others. */
export async function takeTurn(tx: Tx, teamId: string, kind: JobKind): Promise<void> {
  await turnOf(kind, sql`select ${teamId}::uuid`, tx.now).execute(tx.db)
}

/** True while no other team is ready for a kind: then a longer turn takes nothing from anybody. */
export const isAlone = async (db: Reader, kind: JobKind, teamId: string): Promise<boolean> =>
  !(await queryExists(db)`select 1 from work_turn where kind = ${kind} and ready and team_id <> ${teamId} limit 1`)

/** How many of a team's oldest rows, leased ones included, decide when to look at it again. */
const front = 1_000

/** When to look again. `blocked`: something is due and free, which only `limited` rows may leave unclaimed. */
type Next = { readonly dueAt: Date | null; readonly lookMs: number | null; readonly blocked: boolean }

/** Reads the team's oldest rows; with more rows, or due ones that must wait, it looks again once a lease could have expired. */
async function nextOf(tx: Tx, rows: WorkRows, teamId: string, nowMs: number): Promise<Next> {
  const lease = rows.fence === 'unleased' ? sql`null::bigint` : sql`w.lease_until_ms`
  const { rows: found } = await sql<{ due: Date | null; look: number | null; many: boolean; blocked: boolean }>`
    with front as (
      select ${dueAtOf(rows)} as due, ${isFree(rows, nowMs)} as free, ${isAllowed(rows, tx.now)} as allowed,
        ${lease} as lease
      from ${sql.table(rows.table)} w ${joinTeam()} where w.team_id = ${teamId} and ${rows.open}
      order by 1 limit ${front})
    select min(due) filter (where free and allowed ${rows.limited ? sql`and due > ${tx.now}` : sql``}) as due,
      min(lease) filter (where not free) as look,
      count(*) = ${front} as many, coalesce(bool_or(free and allowed and due <= ${tx.now}), false) as blocked
      from front`.execute(tx.db)
  const { due, look, many, blocked } = found[0]!
  const again = many || (rows.limited && blocked) ? nowMs + leaseMs : null
  return { dueAt: due, lookMs: least(look, again), blocked }
}

const least = <T extends number | Date>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b < a) ? b : a

/** `mayTake`: whether a claim would find something, for rows that may be due and still have to wait. */
type Rest = {
  readonly rows: readonly [WorkRows, ...WorkRows[]]
  readonly mayTake?: (teamId: string) => Promise<boolean>
}

/**
 * Puts a team to rest in whose rows a claim found nothing. False, and the team stays ready, while another unit locks its row, or
 * when this second look finds something: a unit that marked it in between saw it ready and wrote nothing.
 *
 * Call it before `takeTurn` in a transaction: a `markTeams` waiting for our lock would re-read the row, see it ready and write
 * nothing, and resting the team after that would lose its mark.
 */
export async function restTeam(tx: Tx, { rows: all, mayTake }: Rest, teamId: string, nowMs: number): Promise<boolean> {
  const { kind } = all[0]
  const { rows: alone } = await sql`
    select 1 from work_turn where kind = ${kind} and team_id = ${teamId} for update skip locked`.execute(tx.db)
  if (alone.length === 0) return false
  let [dueAt, lookMs]: [Date | null, number | null] = [null, null]
  for (const rows of all) {
    const next = await nextOf(tx, rows, teamId, nowMs)
    if (next.blocked && (!rows.limited || (await mayTake?.(teamId)))) return false
    dueAt = least(dueAt, next.dueAt)
    lookMs = least(lookMs, next.lookMs)
  }
  await sql`
    update work_turn set ready = false, due_at = ${dueAt}, look_ms = ${lookMs}
    where kind = ${kind} and team_id = ${teamId}`.execute(tx.db)
  return true
}

/** The kinds of work for which teams have a turn. */
export const kindsOf = (db: Reader, teamIds: readonly string[]) =>
  queryAll<Mark>(db)`
    select kind, team_id as "teamId" from work_turn where team_id = any(${teamIds}::uuid[])`

/** SQL: a team of the kind is ready, or due for a look. */
export const hasTurn = (kind: JobKind, now: Date, nowMs: number) => sql<boolean>`
  (exists (select 1 from work_turn where kind = ${kind} and ready)
    or exists (select 1 from work_turn where kind = ${kind} and not ready and due_at <= ${now})
    or exists (select 1 from work_turn where kind = ${kind} and not ready and look_ms <= ${nowMs}))`

const healedAtOnce = 1_000

/** Marks unmarked claimable work of the next teams; returns how much, and where the next round begins. */
export async function healTurns(
  db: Reader & Pick<Kysely<Database>, 'transaction'>,
  all: readonly WorkRows[],
  at: { readonly now: Date; readonly nowMs: number; readonly after: string | null },
): Promise<{ healed: number; last: string | null }> {
  // One query for all kinds, so that an idle process asks little.
  const each = all.map(
    (rows) => sql`
      select ${rows.kind}::text as kind, t.id as "teamId" from looked t
      where not exists (select 1 from work_turn r
        where r.kind = ${rows.kind} and r.team_id = t.id and (r.ready
            or ${rows.limited ? sql`r.look_ms is not null` : sql`false`}))
        and exists (select 1 from ${sql.table(rows.table)} w
          where w.team_id = t.id and ${isClaimable(rows, at.now, at.nowMs)})`,
  )
  const { looked, last, unmarked } = (await queryOne<{ looked: number; last: string | null; unmarked: Mark[] }>(db)`
    with looked as materialized (${teamsBehind(at.after, healedAtOnce)})
    select (select count(*) from looked) as looked, (select id from looked order by id desc limit 1) as last,
      (select coalesce(jsonb_agg(unmarked), '[]') from (${sql.join(each, sql` union `)}) unmarked) as unmarked`)!
  if (unmarked.length > 0) await db.transaction().execute((tx) => markTeams(tx, unmarked))
  return { healed: unmarked.length, last: looked < healedAtOnce ? null : last }
}
