/** Invitations into a team: a mailed link for one address, good for 7 days. Only the mail has its token; we keep a hash. */
import type { TeamRole } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryOne } from '../platform/db/query.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { refuse } from '../platform/refusal.ts'
import { sha256 } from '../platform/secrets.ts'
import { addMember, findRole, holdOwner } from './memberships.ts'

export type Invitation = {
  readonly id: string
  readonly teamId: string
  readonly teamName: string
  readonly email: string
  readonly role: TeamRole
  /** A member's mail address; null: the operator. */
  readonly invitedBy: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

const lastsMs = 7 * 24 * 3_600_000
/** Most invitations of a team in 7 days: the service must not become a way to mail strangers. */
const maxInvitations = 50
const tokenBytes = 32

const open = (now: Date): RawBuilder<boolean> =>
  sql`i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}`
const selected = sql`
  select i.id, i.team_id as "teamId", t.name as "teamName", i.email, i.role, u.email as "invitedBy",
    i.created_at as "createdAt", i.expires_at as "expiresAt"
  from sign_in.invitation i join public.team t on t.id = i.team_id and t.closed_at is null
    left join sign_in."user" u on u.id = i.invited_by`

/** Refuses an invitation that is not open. */
export const gone = (): never => refuse('not_found', {}, 'This invitation is not good any more: ask for a new one')

/** Open invitations of a team, newest first. */
export const listInvitations = (db: Reader, teamId: string, now: Date) =>
  queryAll<Invitation>(db)`${selected} where i.team_id = ${teamId} and ${open(now)}
    order by i.created_at desc, i.id desc limit ${maxInvitations}`

/** Finds an open invitation; null for a token that is unknown, used, revoked or expired, or of a closed team. */
export const findInvitation = async (db: Reader, token: string, now: Date): Promise<Invitation | null> =>
  (await queryOne<Invitation>(db)`${selected} where i.token_hash = ${sha256(token)} and ${open(now)}`) ?? null

/** Invites, revoking an earlier invitation; refuses `member_exists`, `invitation_limit_reached`. Mail the token after the commit. */
export async function invite(
  tx: Tx,
  ids: Ids,
  wanted: Pick<Invitation, 'teamId' | 'email' | 'role' | 'invitedBy'>,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  const { teamId, role, invitedBy } = wanted
  const email = wanted.email.toLowerCase()
  // One at a time per team: two at once could pass the limit, or leave an address with two open invitations.
  await sql`select 1 from public.team where id = ${teamId} for no key update`.execute(tx.db)
  // An inviter who was demoted meanwhile has had all invitations revoked, so this one must fail.
  if (invitedBy !== null) await holdOwner(tx, invitedBy, teamId)
  const { rows: members } = await sql`select 1 from sign_in.membership m join sign_in."user" u on u.id = m.user_id
      where m.team_id = ${teamId} and u.email = ${email}`.execute(tx.db)
  if (members.length > 0) refuse('member_exists')
  const { rows: sent } = await sql<{ count: number }>`
    select count(*) as count from sign_in.invitation
    where team_id = ${teamId} and expires_at > ${tx.now}`.execute(tx.db)
  if (sent[0]!.count >= maxInvitations) refuse('invitation_limit_reached')
  await sql`update sign_in.invitation i set revoked_at = ${tx.now}
    where i.team_id = ${teamId} and i.email = ${email} and ${open(tx.now)}`.execute(tx.db)
  const token = ids.bytes(tokenBytes).toString('base64url')
  await sql`
    insert into sign_in.invitation (id, team_id, email, role, token_hash, invited_by, created_at, expires_at)
    values (${tx.newId()}, ${teamId}, ${email}, ${role}, ${sha256(token)}, ${invitedBy}, ${tx.now},
        ${new Date(tx.now.getTime() + lastsMs)})`.execute(tx.db)
  return { invitation: (await findInvitation(tx.db, token, tx.now))!, token }
}

/** Revokes an open invitation; refuses `not_found`. */
export async function revokeInvitation(tx: Tx, teamId: string, id: string): Promise<void> {
  const { rows } = await sql`update sign_in.invitation i set revoked_at = ${tx.now}
      where i.team_id = ${teamId} and i.id = ${id} and ${open(tx.now)} returning i.id`.execute(tx.db)
  if (rows.length === 0) refuse('not_found', {}, 'No such invitation')
}

/** Adds a person to the team that invited their address; a member keeps their role. Refuses `not_found`, also for another's. */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  user: { readonly id: string; readonly email: string },
): Promise<{ readonly teamId: string; readonly role: TeamRole }> {
  const found =
    (await queryOne<{ id: string; teamId: string; email: string; role: TeamRole }>(tx.db)`
    select i.id, i.team_id as "teamId", i.email, i.role from sign_in.invitation i
    join public.team t on t.id = i.team_id and t.closed_at is null
    where i.token_hash = ${sha256(token)} and ${open(tx.now)} for update of i`) ?? gone()
  if (found.email !== user.email.toLowerCase())
    refuse('not_found', {}, 'This invitation is for another mail address: sign in with the one it was sent to')
  await sql`update sign_in.invitation set accepted_at = ${tx.now} where id = ${found.id}`.execute(tx.db)
  await addMember(tx, { userId: user.id, teamId: found.teamId, role: found.role })
  return { teamId: found.teamId, role: (await findRole(tx.db, user.id, found.teamId))! }
}
