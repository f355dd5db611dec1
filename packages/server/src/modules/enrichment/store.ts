/** SQL of enrichment: `enrichment_task` and `company_lookup` are written here and nowhere else. */
import { sql } from 'kysely'
import { addLogContext } from '../../platform/log-context.ts'
import type { Condition } from '../../platform/db/conditions.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { takeInHand } from '../../platform/work-in-hand.ts'

/** A person of a team whose facts are wanted, under our lease. */
export type ClaimedTask = {
  readonly teamId: string
  readonly personUrn: string
  readonly attempts: number
  readonly failures: number
  readonly fence: number
}

/** Names a task. */
export type TaskName = Pick<ClaimedTask, 'teamId' | 'personUrn'>

const leaseMs = 60_000

/**
 * Asks for facts about people. The row of a person that is being worked on is touched, not skipped: its worker then waits for this
 * unit before it reads which leads to fill, so no lead is missed.
 */
export async function requestEnrichment(tx: Tx, teamId: string, personUrns: readonly string[]): Promise<void> {
  if (personUrns.length === 0) return
  await sql`
    insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${teamId}, urn, ${tx.now}, ${tx.now} from unnest(${[...new Set(personUrns)].sort()}::text[]) as urn
    on conflict (team_id, person_urn) do update set due_at = least(enrichment_task.due_at, excluded.due_at)`.execute(
    tx.db,
  )
  tx.enqueue('enrichment')
}

/**
 * Takes the lease of a person of the team served longest ago; teams that are not served wait (G129). The row of a person comes and
 * goes, so its fence is never used twice: who was asleep while it was deleted and made anew must not take it for their own.
 */
export async function claimTask(
  tx: Tx,
  lease: { owner: string; systemNowMs: number },
): Promise<ClaimedTask | undefined> {
  const { rows } = await sql<ClaimedTask & { previous: string | null; fenceBefore: number }>`
    with picked as (
      select e.team_id, e.person_urn, e.lease_owner, e.fence from enrichment_task e
      join team t on t.id = e.team_id and (t.status = 'active' or (t.status = 'trial' and t.trial_ends_at > ${tx.now}))
      left join work_turn w on w.team_id = e.team_id and w.kind = 'enrichment'
      where e.due_at <= ${tx.now} and (e.lease_until_ms is null or e.lease_until_ms < ${lease.systemNowMs})
      order by coalesce(w.served, 0), e.created_at, e.person_urn limit 1 for update of e skip locked
    ), turned as (
      insert into work_turn (team_id, kind, served) select team_id, 'enrichment', nextval('work_turn_number') from picked
      on conflict (team_id, kind) do update set served = excluded.served
    )
    update enrichment_task e set lease_owner = ${lease.owner}, lease_until_ms = ${lease.systemNowMs + leaseMs}, fence = nextval('work_turn_number')
    from picked where e.team_id = picked.team_id and e.person_urn = picked.person_urn
    returning e.team_id as "teamId", e.person_urn as "personUrn", e.attempts, e.unexpected_failures as failures, e.fence, picked.fence as "fenceBefore", picked.lease_owner as previous`.execute(
    tx.db,
  )
  if (!rows[0]) return undefined
  const { previous, fenceBefore, ...task } = rows[0]
  addLogContext({ teamId: task.teamId })
  takeInHand(
    tx,
    { sort: 'person', teamId: task.teamId, id: task.personUrn, fence: task.fence, failures: task.failures },
    fenceBefore,
  )
  if (previous !== null) tx.count('leases_taken_over', 'enrichment')
  return task
}

/** True, with the row locked, while the claim is still ours. */
export async function lockTask(tx: Tx, task: TaskName & { readonly fence: number }): Promise<boolean> {
  const { rows } =
    await sql`select 1 from enrichment_task where team_id = ${task.teamId} and person_urn = ${task.personUrn} and fence = ${task.fence} for update`.execute(
      tx.db,
    )
  if (rows.length === 0) tx.count('leases_lost', 'enrichment')
  return rows.length > 0
}

/** Ends a locked task. */
export async function deleteTask(tx: Tx, task: TaskName): Promise<void> {
  await sql`delete from enrichment_task where team_id = ${task.teamId} and person_urn = ${task.personUrn}`.execute(
    tx.db,
  )
}

/** Puts a locked task off. */
export async function postponeTask(tx: Tx, task: ClaimedTask, dueAt: Date): Promise<void> {
  await sql`update enrichment_task set attempts = attempts + 1, due_at = ${dueAt}, lease_owner = null, lease_until_ms = null where team_id = ${task.teamId} and person_urn = ${task.personUrn}`.execute(
    tx.db,
  )
}

/** Puts a locked task off after an unexpected failure. */
export async function postponeUnexpected(tx: Tx, task: TaskName, dueAt: Date): Promise<void> {
  await sql`
    update enrichment_task set unexpected_failures = unexpected_failures + 1, due_at = ${dueAt}, lease_owner = null, lease_until_ms = null where team_id = ${task.teamId} and person_urn = ${task.personUrn}`.execute(
    tx.db,
  )
}

/** Gives a task back for a moment without counting an attempt. */
export async function yieldTask(tx: Tx, task: ClaimedTask, untilMs: number): Promise<void> {
  await sql`update enrichment_task set lease_owner = null, lease_until_ms = ${untilMs} where team_id = ${task.teamId} and person_urn = ${task.personUrn} and fence = ${task.fence}`.execute(
    tx.db,
  )
}

/** True when a person waits to be picked. */
export const tasksDue = (now: Date, systemNowMs: number): Condition => sql<boolean>`
  exists (select 1 from enrichment_task e join team t on t.id = e.team_id and (t.status = 'active' or (t.status = 'trial' and t.trial_ends_at > ${now}))
    where e.due_at <= ${now} and (e.lease_until_ms is null or e.lease_until_ms < ${systemNowMs}))`

/** Frees every lease: an embedded service that boots is alone. */
export async function releaseTaskLeases(tx: Tx): Promise<void> {
  await sql`update enrichment_task set lease_owner = null, lease_until_ms = null where lease_until_ms is not null`.execute(
    tx.db,
  )
  // Company look-ups of workers that died: those companies would be locked until the lease ran out.
  await sql`delete from company_lookup`.execute(tx.db)
}

/** Takes the right to look a company up; false while another process has it. */
export async function claimCompanyLookup(
  tx: Tx,
  urn: string,
  lease: { owner: string; systemNowMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into company_lookup (urn, owner, until_ms) values (${urn}, ${lease.owner}, ${lease.systemNowMs + leaseMs})
    on conflict (urn) do update set owner = excluded.owner, until_ms = excluded.until_ms where company_lookup.until_ms < ${lease.systemNowMs} or company_lookup.owner = excluded.owner
    returning urn`.execute(tx.db)
  return rows.length > 0
}

/** Gives that right back. */
export async function releaseCompanyLookup(tx: Tx, urn: string): Promise<void> {
  await sql`delete from company_lookup where urn = ${urn}`.execute(tx.db)
}

/** True when the team has a lead of an active source, or of Discover, of that person that is not raw (G132). */
export async function hasCompatibleLead(db: Reader, teamId: string, personUrn: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.person_urn = ${personUrn} and l.enrichment <> 'raw' and (l.source_id is null or s.status = 'active') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** True when the team has a lead of that company page, or any lead of the tracked company source (G23). */
export async function hasCompanyLead(db: Reader, teamId: string, slug: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lead l left join company c on c.urn = l.company_urn left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.enrichment <> 'raw' and (l.source_id is null or s.status = 'active') and (c.slug = ${slug} or (s.type = 'company' and s.username = ${slug})) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** A lead that a profile job could fill or refresh. */
export type MatchingLead = { readonly id: string; readonly sourceId: string | null; readonly state: string }

/** A person's leads of active sources and of Discover, raw ones left out, in id order (G132). */
export async function listMatchingLeads(db: Reader, teamId: string, personUrn: string): Promise<MatchingLead[]> {
  const { rows } = await sql<MatchingLead>`
    select l.id, l.source_id as "sourceId", l.enrichment as state from lead l left join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.person_urn = ${personUrn} and l.enrichment <> 'raw' and (l.source_id is null or s.status = 'active') order by l.id`.execute(
    db,
  )
  return rows
}

/** Sources that a person's waiting leads belong to, in id order. */
export async function listWaitingSources(db: Reader, teamId: string, personUrn: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct source_id as id from lead where team_id = ${teamId} and person_urn = ${personUrn} and source_id is not null and enrichment in ('pending', 'processing') order by 1`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/** Sources that leads of a company belong to, in id order. */
export async function listCompanySources(db: Reader, teamId: string, companyUrn: string): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select distinct source_id as id from lead where team_id = ${teamId} and company_urn = ${companyUrn} and source_id is not null order by 1`.execute(
    db,
  )
  return rows.map((row) => row.id)
}
