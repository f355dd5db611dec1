/** Periodic tasks about what is held for nothing: its source is no longer tracked, or its endpoint is tried again. */
import { sql } from 'kysely'
import type { Condition } from '../../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../../platform/sample-team.ts'
import { eachTeam, type RoundDeps } from '../../../platform/work/index.ts'
import { lockWebhooks } from './store.ts'
import { isCancelled, isHeld, isParked, releaseUnparked } from '../deliveries.ts'
import { endDeliveriesOf, endsUntracked } from '../sending/untracked.ts'

/** What is held for sources that are no longer tracked (G52): more than untracking them ended. */
const heldOfUntracked = sql`
    d.state = 'held' and s.team_id = d.team_id and s.id = d.owner_id and s.status = 'inactive' and ${endsUntracked}`

/** True when some team has some of it. */
export const heldForUntracked = (): Condition =>
  sql<boolean>`exists (select 1 from delivery d, source s
      where ${heldOfUntracked} and d.team_id <> ${sampleTeamId}::uuid)`

/** Teams that have some of it, other than these. */
async function listTeamsHoldingForUntracked(
  db: Reader,
  limit: number,
  without: readonly string[],
): Promise<{ teamId: string }[]> {
  const { rows } = await sql<{ teamId: string }>`
    select distinct d.team_id as "teamId" from delivery d, source s
    where ${heldOfUntracked} and d.team_id <> all(${[...without]}::uuid[]) limit ${limit}`.execute(db)
  return rows
}

/** Ends some of it for one team; answers how much. */
async function cancelHeldOfUntracked(tx: Tx, teamId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct s.id from delivery d, source s where d.team_id = ${teamId} and ${heldOfUntracked}`.execute(tx.db)
  return endDeliveriesOf(
    tx,
    teamId,
    rows.map(({ id }) => id),
  )
}

/**
 * SQL: endpoints that are tried again and hold something all the same, as `team_id` and `owner_id`: more than their save let go. The
 * walk jumps from endpoint to endpoint, so that what one of them holds costs nothing.
 */
const holdingForNothing = sql`
  with recursive holding as (
    (select team_id, owner_id from delivery where state = 'held' order by team_id, owner_id limit 1)
    union all
    select following.team_id, following.owner_id from holding h cross join lateral (
      select team_id, owner_id from delivery
      where state = 'held' and (team_id, owner_id) > (h.team_id, h.owner_id) order by team_id, owner_id limit 1) following)
  select h.team_id, h.owner_id from holding h
  join webhook w on w.team_id = h.team_id and w.owner_id = h.owner_id and w.url is not null and w.disabled_at is null
  left join source s on s.team_id = h.team_id and s.id = h.owner_id
  where (w.owner_kind in ('destination', 'hook') or s.status = 'active' or s.type = 'keyword') and exists (select 1 from delivery d
    where d.team_id = h.team_id and d.owner_id = h.owner_id and ${isHeld} and not ${isParked} and not ${isCancelled})`

/** True when some team has such an endpoint. */
export const heldForNothing = (): Condition =>
  sql<boolean>`exists (select 1 from (${holdingForNothing}) e where e.team_id <> ${sampleTeamId}::uuid)`

/** Them, of other teams than these. */
async function listHoldingForNothing(
  db: Reader,
  limit: number,
  without: readonly string[],
): Promise<{ teamId: string; ownerId: string }[]> {
  const { rows } = await sql<{ teamId: string; ownerId: string }>`
    select e.team_id as "teamId", e.owner_id as "ownerId" from (${holdingForNothing}) e
    where e.team_id <> all(${[...without]}::uuid[]) limit ${limit}`.execute(db)
  return rows
}

/** Lets some of what such endpoints of one team hold go, unless they are disabled by now; answers how much. */
async function releaseForNothing(tx: Tx, teamId: string, ownerIds: readonly string[]): Promise<number> {
  const webhooks = await lockWebhooks(tx, teamId, ownerIds)
  const tried = ownerIds.filter((id) => webhooks.get(id)?.url != null && webhooks.get(id)?.disabledAt === null)
  const released = await releaseUnparked(tx, { teamId, ownerIds: tried })
  if (released > 0) tx.enqueue('delivery', teamId)
  return released
}

const batch = 100

/** Ends held deliveries of untracked sources, some thousands a unit of work, team by team; answers how many. */
export function giveUpHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'give up what is held for untracked sources',
    find: (_now, without) => listTeamsHoldingForUntracked(deps.db, batch, without),
    forTeam: (teamId) => deps.unitOfWork((tx) => cancelHeldOfUntracked(tx, teamId)),
  })
}

/** Lets go what endpoints hold that are tried again, where that was too much for one save; answers how many. */
export function letGoHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'let go what is held for endpoints that are tried again',
    find: (_now, without) => listHoldingForNothing(deps.db, batch, without),
    forTeam: (teamId, its) =>
      deps.unitOfWork((tx) =>
        releaseForNothing(
          tx,
          teamId,
          its.map(({ ownerId }) => ownerId),
        ),
      ),
  })
}
