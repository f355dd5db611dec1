/** Claims due deliveries of the teams served longest ago. Only SQL, so that a claim always holds; bodies.ts loads the rest. */
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryColumn } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { claim, defineRows, leaseRows, openTeam, type Lease } from '../../../platform/work/index.ts'
import { findExcluded } from '../../leads/index.ts'
import { listOfExcludedPosts } from '../excluded-posts.ts'
import { isTellingErased } from '../person-erased.ts'
import { maxInFlight, probeAfterMs, verdictOn, type Verdict } from '../rules/endpoint.ts'

/** Work rows of deliveries; a due one may still wait for room at its endpoint. */
export const deliveryRows = defineRows({
  kind: 'delivery',
  rowKind: 'delivery',
  table: 'delivery',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.state = 'pending'`,
  always: true,
  limited: true,
  fence: 'counted',
})

export type EndpointName = { readonly teamId: string; readonly ownerId: string }

/** How many deliveries of an endpoint one process may lease; `maxInFlight` where none is given. */
export type LeaseLimit = EndpointName & { readonly limit: number }

/** A delivery under our lease, and where it goes. */
export type LeasedDelivery = EndpointName & {
  readonly id: string
  readonly fence: number
  readonly event: string
  readonly leadId: string | null
  readonly sourceId: string | null
  /** Null until the first attempt of a pushed lead. */
  readonly body: Buffer | null
  readonly verdict: Verdict
  readonly url: string
  readonly ownSecret: Buffer | null
  readonly schemes: readonly ('https' | 'http')[]
  readonly maxInFlight: number
  readonly isFailing: boolean
}

/** Endpoints, and at most as many teams, per claim. */
const maxEndpoints = 32

type ClaimLimits = { readonly lease: Lease; readonly most: number; readonly limits: readonly LeaseLimit[] }

/** Leases due deliveries and reads where they go now: retries use a changed URL (G134). */
export async function claimDue(tx: Tx, { lease, most, limits }: ClaimLimits): Promise<LeasedDelivery[]> {
  const endpoints = new Map<string, LockedEndpoint>()
  let isCut = false
  const leased = await claim<DeliveryRow>(tx, lease.nowMs, {
    rows: [deliveryRows],
    take: async (teams) => {
      const locked = await lockEndpoints(tx, { teams, limits, lease })
      isCut = locked.length === maxEndpoints
      for (const endpoint of locked) endpoints.set(endpoint.ownerId, endpoint)
      return locked.length === 0 ? [] : leaseFrom(tx, { endpoints: locked, limits, most, lease })
    },
    teamOf: (row) => row.team_id,
    hasMore: () => isCut,
    // An endpoint that another claim has just locked is no reason to rest its team.
    mayTake: async (teamId) =>
      (await openEndpoints(tx, { teams: [teamId], limits, lease }).execute(tx.db)).rows.length > 0,
    teams: maxEndpoints,
    most,
  })
  const known: ClaimContext = {
    endpoints,
    pushed: await listPushedOfDeletedSearches(tx, leased, endpoints),
    excluded: await listExcluded(tx, leased),
    probedSince: new Date(tx.now.getTime() - probeAfterMs),
  }
  return leased.map((row) => withEndpoint(row, known))
}

/** SQL: `limits` as rows `p`; given as subqueries so that the statement is planned once per connection. */
const limitsOf = (limits: readonly LeaseLimit[]) => sql`
    unnest((select ${limits.map(({ teamId }) => teamId)}::uuid[]), (select ${limits.map(({ ownerId }) => ownerId)}::uuid[]),
      (select ${limits.map(({ limit }) => limit)}::integer[])) as p (team_id, owner_id, "limit")`

/**
 * SQL: the front of endpoint `w`'s queue as row `front`: leased, leased by others, and when the first unleased delivery is due.
 * Deliveries are leased in this order, so the first limit + 2 × `maxInFlight` rows hold our leases (up to the limit), others' (up
 * to `maxInFlight`) and a free one.
 */
const frontOf = (lease: Lease, limit: RawBuilder<number>) => sql`lateral (
      select count(*) filter (where is_leased) as leased, count(*) filter (where is_leased and not is_ours) as of_others,
        min(due_at) filter (where not is_leased) as due_at
      from (
        select due_at, coalesce(lease_until_ms > ${lease.nowMs}, false) as is_leased, lease_owner = ${lease.processId} as is_ours
        from delivery where team_id = w.team_id and owner_id = w.owner_id and state = 'pending'
        order by due_at, id limit ${limit} + 2 * ${maxInFlight}::integer) due_longest) front`

/**
 * SQL: how many more deliveries of endpoint `w` this process may lease. A failing endpoint (`probeAfterMs`) gets one; while other
 * processes send to it, all together lease `maxInFlight`; alone, this process leases up to its limit.
 */
const roomOf = (limit: RawBuilder<number>, now: Date) => sql<number>`(
      case when w.failing_since <= ${new Date(now.getTime() - probeAfterMs)} then least(1, ${limit})
        when front.of_others > 0 then least(${maxInFlight}::integer, ${limit})
        else ${limit} end - front.leased)`

type Teams = { readonly teams: readonly string[]; readonly limits: readonly LeaseLimit[]; readonly lease: Lease }

function openEndpoints(tx: Tx, { teams, limits, lease }: Teams): RawBuilder<unknown> {
  const limit = sql<number>`coalesce(p."limit", ${maxInFlight}::integer)`
  // Skips from endpoint to endpoint on the index, so that a long backlog of one costs nothing.
  return sql`
    with recursive endpoint as (
      select m.turn, e.team_id, e.owner_id from unnest((select ${[...teams]}::uuid[])) with ordinality as m (team_id, turn)
      join team t on t.id = m.team_id and ${openTeam}
      cross join lateral (
        select team_id, owner_id from delivery where team_id = m.team_id and state = 'pending'
        order by owner_id limit 1) e
      union all
      select e.turn, following.team_id, following.owner_id from endpoint e cross join lateral (
        select team_id, owner_id from delivery
        where state = 'pending' and team_id = e.team_id and owner_id > e.owner_id order by owner_id limit 1) following
    )
    select w.team_id, w.owner_id, e.turn, front.due_at
    from endpoint e
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    left join ${limitsOf(limits)} on p.team_id = e.team_id and p.owner_id = e.owner_id
    cross join ${frontOf(lease, limit)}
    where front.due_at <= ${tx.now} and ${roomOf(limit, tx.now)} > 0
    order by e.turn, front.due_at limit ${maxEndpoints}`
}

type LockedEndpoint = EndpointName & {
  readonly url: string | null
  readonly agentId: string | null
  readonly disabledAt: Date | null
  readonly failingSince: Date | null
  readonly cancelledBelow: number
  readonly autoSend: boolean
  readonly autoSendSince: Date | null
  readonly secret: Buffer | null
  /** Its source is tracked, or it is a receiver of the whole team. */
  readonly isActive: boolean
}

const lockEndpoints = (tx: Tx, teams: Teams) =>
  queryAll<LockedEndpoint>(tx.db)`
    select w.team_id as "teamId", w.owner_id as "ownerId", w.url, w.agent_id as "agentId", w.disabled_at as "disabledAt",
      w.failing_since as "failingSince", w.cancelled_below_generation as "cancelledBelow",
      w.auto_send as "autoSend", w.auto_send_since as "autoSendSince", w.secret,
      w.owner_kind in ('destination', 'hook') or coalesce(s.status = 'active', false) as "isActive"
    from (${openEndpoints(tx, teams)}) e
    join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id
    left join source s on s.team_id = e.team_id and s.id = e.owner_id
    order by e.turn, e.due_at for no key update of w skip locked`

type DeliveryRow = {
  team_id: string
  id: string
  owner_id: string
  event: string
  lead_id: string | null
  source_id: string | null
  body: Buffer | null
  fence: number
  generation: number
  automatic: boolean
  created_at: Date
  due_at: Date
}

/** Leases up to each endpoint's room, spread over them; a separate statement, to see what earlier lock holders leased. */
async function leaseFrom(
  tx: Tx,
  { endpoints, limits, most, lease }: ClaimLimits & { readonly endpoints: readonly EndpointName[] },
): Promise<DeliveryRow[]> {
  const limit = sql<number>`coalesce(p."limit", ${maxInFlight}::integer)`
  const candidates = sql`
    select due.* from (
      select w.team_id, w.owner_id, w.position, ${roomOf(limit, tx.now)} as room,
        ceil(${most}::numeric / count(*) over ()) as share
      from (
        select w.team_id, w.owner_id, w.failing_since, e.position
        from unnest(${endpoints.map(({ teamId }) => teamId)}::uuid[], ${endpoints.map(({ ownerId }) => ownerId)}::uuid[])
          with ordinality as e (team_id, owner_id, position)
        join webhook w on w.team_id = e.team_id and w.owner_id = e.owner_id) w
      left join ${limitsOf(limits)} on p.team_id = w.team_id and p.owner_id = w.owner_id
      cross join ${frontOf(lease, limit)}) e
    cross join lateral (
      select d.team_id, d.id, d.fence, d.lease_owner from delivery d
      where d.team_id = e.team_id and d.owner_id = e.owner_id and d.state = 'pending' and d.due_at <= ${tx.now}
        and (d.lease_until_ms is null or d.lease_until_ms <= ${lease.nowMs})
      order by d.due_at, d.id limit greatest(0, least(e.room, greatest(${maxInFlight}::integer, e.share)))
      for update of d skip locked) due
    order by e.position limit ${most}`
  const rows = await leaseRows<DeliveryRow>(tx, deliveryRows, lease, candidates)
  return rows.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime() || (a.id < b.id ? -1 : 1))
}

/** Deliveries of untracked sources that are sent all the same: pushed from a deleted keyword search (C3). */
async function listPushedOfDeletedSearches(
  tx: Tx,
  leased: readonly DeliveryRow[],
  endpoints: ReadonlyMap<string, LockedEndpoint>,
): Promise<ReadonlySet<string>> {
  const untracked = leased.filter((row) => !endpoints.get(row.owner_id)!.isActive)
  if (untracked.length === 0) return new Set()
  const found = await queryColumn<string>(tx.db)`
    select d.id from unnest(${untracked.map((row) => row.team_id)}::uuid[],
        ${untracked.map((row) => row.id)}::uuid[]) as named (team_id, id)
    join delivery d on d.team_id = named.team_id and d.id = named.id
    join source s on s.team_id = d.team_id and s.id = d.owner_id and s.type = 'keyword'
    where exists (select 1 from push_lead p where p.team_id = d.team_id and p.delivery_id = d.id)`
  return new Set(found)
}

async function listExcluded(tx: Tx, leased: readonly DeliveryRow[]): Promise<ReadonlySet<string>> {
  const excluded = new Set<string>()
  for (const [teamId, theirs] of Map.groupBy(leased, (row) => row.team_id)) {
    const leadIds = theirs.flatMap((row) => row.lead_id ?? [])
    const leads = await findExcluded(tx.db, teamId, leadIds)
    for (const row of theirs) if (leads.has(row.lead_id ?? '')) excluded.add(row.id)
    const ofPosts = theirs.filter(({ event }) => event === 'post.detected').map(({ id }) => id)
    for (const id of await listOfExcludedPosts(tx.db, teamId, ofPosts)) excluded.add(id)
  }
  return excluded
}

type ClaimContext = {
  readonly endpoints: ReadonlyMap<string, LockedEndpoint>
  readonly pushed: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
  readonly probedSince: Date
}

function withEndpoint(row: DeliveryRow, { endpoints, pushed, excluded, probedSince }: ClaimContext): LeasedDelivery {
  const endpoint = endpoints.get(row.owner_id)!
  const { autoSend, autoSendSince, disabledAt, failingSince, agentId } = endpoint
  const isBeforeAutoSend = autoSendSince !== null && row.created_at < autoSendSince
  return {
    teamId: row.team_id,
    ownerId: row.owner_id,
    id: row.id,
    fence: row.fence,
    event: row.event,
    leadId: row.lead_id,
    sourceId: row.source_id,
    body: row.body,
    verdict: verdictOn({
      tellsErased: isTellingErased(row),
      cleared: row.generation < endpoint.cancelledBelow,
      ownerActive: endpoint.isActive || pushed.has(row.id),
      url: endpoint.url,
      excluded: excluded.has(row.id),
      autoSendOff: row.automatic && (!autoSend || isBeforeAutoSend),
      disabledAt,
    }),
    url: endpoint.url ?? '',
    ownSecret: endpoint.secret,
    // An agent's webhook may be http (C19).
    schemes: agentId === null ? ['https'] : ['https', 'http'],
    maxInFlight: failingSince !== null && failingSince <= probedSince ? 1 : maxInFlight,
    isFailing: failingSince !== null,
  }
}
