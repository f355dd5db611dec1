/** Who belongs to which team, in which role. A team always has an owner; the sample team has no members, and all may view it. */
import type { TeamRole } from '@les/contract'
import { sql } from 'kysely'
import { countAffected, queryAll, queryValue } from '../platform/db/query.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import { refuse } from '../platform/refusal.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import { sha256 } from '../platform/secrets.ts'
import { endConnections } from './connections.ts'

export type TeamOfPerson = {
  readonly id: string
  readonly name: string
  readonly role: TeamRole
  readonly plan: string
  readonly status: 'active' | 'trial' | 'expired'
}

export type Member = {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: TeamRole
  readonly since: Date
}

type MemberKey = { readonly userId: string; readonly teamId: string }

const maxListed = 500

/** A person's role at a team's dashboard; null for a stranger. */
export const findDashboardRole = async (db: Reader, userId: string, teamId: string): Promise<TeamRole | null> =>
  teamId === sampleTeamId ? 'viewer' : findRole(db, userId, teamId)

export type Presence = MemberKey & { readonly sessionId: string }

/** Whether each session is valid at `at`, and its person a member or viewing the sample team, in order; one query for all. */
export async function listStillIn(db: Reader, present: readonly Presence[], at: Date): Promise<boolean[]> {
  if (present.length === 0) return []
  const { rows } = await sql<{ place: number }>`
    select p.place::integer as place
    from unnest(${present.map(({ sessionId }) => sessionId)}::text[], ${present.map(({ userId }) => userId)}::text[],
        ${present.map(({ teamId }) => teamId)}::uuid[]) with ordinality as p (session_id, user_id, team_id, place)
    join sign_in.session s on s.id = p.session_id and s."userId" = p.user_id and s."expiresAt" > ${at}
    left join (sign_in.membership m join public.team t on t.id = m.team_id and t.closed_at is null)
      on m.user_id = p.user_id and m.team_id = p.team_id
    where m.user_id is not null or p.team_id = ${sampleTeamId}`.execute(db)
  const places = new Set(rows.map(({ place }) => place))
  return present.map((_one, index) => places.has(index + 1))
}

/** A person's role in a team; null for a stranger, and for everybody while the team is closed. */
export const findRole = async (db: Reader, userId: string, teamId: string): Promise<TeamRole | null> =>
  (await queryValue<TeamRole>(db)`
    select m.role from sign_in.membership m join public.team t on t.id = m.team_id and t.closed_at is null
    where m.user_id = ${userId} and m.team_id = ${teamId}`) ?? null

/** Keeps a person an owner until the unit of work ends; refuses `role_required` when they are not one. */
export async function holdOwner(tx: Tx, userId: string, teamId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from sign_in.membership where user_id = ${userId} and team_id = ${teamId} and role = 'owner'
    for key share`.execute(tx.db)
  if (rows.length === 0) refuse('role_required', { needed: 'owner' })
}

/** A person's open teams, by name; at most 500. */
export const listTeamsOf = (db: Reader, userId: string) =>
  queryAll<TeamOfPerson>(db)`
    select t.id, t.name, m.role, t.plan, t.status from sign_in.membership m join public.team t on t.id = m.team_id
    where m.user_id = ${userId} and t.closed_at is null order by lower(t.name), t.id limit ${maxListed}`

/** The members of a team, owners first; at most 500. */
export const listMembers = (db: Reader, teamId: string) =>
  queryAll<Member>(db)`
    select m.user_id as "userId", u.name, u.email, m.role, m.created_at as since from sign_in.membership m
    join sign_in."user" u on u.id = m.user_id
    where m.team_id = ${teamId}
    order by array_position(array['owner', 'member', 'viewer'], m.role), lower(u.name), u.id
    limit ${maxListed}`

/** Adds a person to a team; a member keeps their role. */
export async function addMember(tx: Tx, member: MemberKey & { readonly role: TeamRole }): Promise<void> {
  await sql`
    insert into sign_in.membership (user_id, team_id, role, created_at)
    values (${member.userId}, ${member.teamId}, ${member.role}, ${tx.now})
    on conflict (user_id, team_id) do nothing`.execute(tx.db)
}

/** Locks a team's owners; refuses `not_found` for a stranger, and `last_owner` when the only owner would go. */
async function lockForChange(tx: Tx, { teamId, userId }: MemberKey, staysOwner: boolean): Promise<void> {
  // When two owners demote each other at once, the second must see the first's change.
  const { rows: owners } = await sql<{ id: string }>`
    select user_id as id from sign_in.membership where team_id = ${teamId} and role = 'owner' order by user_id
    for update`.execute(tx.db)
  if ((await findRole(tx.db, userId, teamId)) === null) refuse('not_found', {}, 'No such member')
  if (!staysOwner && owners.length === 1 && owners[0]!.id === userId) refuse('last_owner')
}

/** Revokes the invitations a person sent: someone who may no longer invite must not return, or let others in, by an old link. */
async function takeBackInvitationsBy(tx: Tx, { userId, teamId }: MemberKey): Promise<void> {
  await sql`
    update sign_in.invitation set revoked_at = ${tx.now}
    where team_id = ${teamId} and invited_by = ${userId} and accepted_at is null and revoked_at is null`.execute(tx.db)
}

/** Changes a role from the next request on; revokes a demoted owner's invitations. Refuses `not_found` and `last_owner`. */
export async function changeRole(tx: Tx, member: MemberKey & { readonly role: TeamRole }): Promise<Member> {
  await lockForChange(tx, member, member.role === 'owner')
  if (member.role !== 'owner') await takeBackInvitationsBy(tx, member)
  const { rows } = await sql<Member>`
    update sign_in.membership m set role = ${member.role} from sign_in."user" u
    where m.team_id = ${member.teamId} and m.user_id = ${member.userId} and u.id = m.user_id
    returning m.user_id as "userId", u.name, u.email, m.role, m.created_at as since`.execute(tx.db)
  return rows[0] ?? refuse('not_found', {}, 'No such member')
}

/** Removes a member, their connections and the invitations they sent; refuses `not_found` and `last_owner`. */
export async function removeMember(tx: Tx, member: MemberKey): Promise<void> {
  const { teamId, userId } = member
  await lockForChange(tx, member, false)
  await sql`delete from sign_in.membership where team_id = ${teamId} and user_id = ${userId}`.execute(tx.db)
  await takeBackInvitationsBy(tx, member)
  await endConnections(tx.db, member, tx.now)
}

/** Hash of an address without its plus part, which reaches the same person. */
function addressOf(email: string): Buffer {
  const at = email.lastIndexOf('@')
  const [name] = email.slice(0, at).split('+')
  return sha256(`${name}${email.slice(at)}`.toLowerCase())
}

/** Begins a person's one free trial, in the unit that opens the team; false when they have had it already. */
export const beginTrial = async (tx: Tx, trial: MemberKey & { readonly email: string }): Promise<boolean> =>
  (await countAffected(tx.db)`
    insert into sign_in.trial (address, user_id, team_id, started_at)
    values (${addressOf(trial.email)}, ${trial.userId}, ${trial.teamId}, ${tx.now})
    on conflict (address) do nothing`) === 1
