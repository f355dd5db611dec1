/** Connections: apps that a person lets act for a team. A connection is a consent; it ends with the consent or the membership. */
import { sql } from 'kysely'
import type { TeamRole } from '@les/contract'
import { queryAll, queryColumn } from '../platform/db/query.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Member } from '../modules/accounts/index.ts'
import { refuse } from '../platform/refusal.ts'

export type Connection = {
  readonly id: string
  readonly clientName: string | null
  readonly redirectUris: readonly string[]
  readonly teamId: string
  readonly teamName: string
  readonly since: Date
}

const maxListed = 200

/** The member behind a token issued at `by`; null when the consent is gone or newer, or membership or team have ended. */
export async function findConnected(
  db: Reader,
  of: { readonly userId: string; readonly clientId: string; readonly teamId: string; readonly by: Date },
): Promise<Member | null> {
  const { rows } = await sql<{ id: string; email: string; name: string; role: TeamRole }>`
    select u.id, u.email, u.name, m.role
    from sign_in."oauthConsent" c
    join sign_in."oauthClient" a on a."clientId" = c."clientId" and a.disabled is not true
    join sign_in.membership m on m.user_id = c."userId" and m.team_id = ${of.teamId}
    join public.team t on t.id = m.team_id and t.closed_at is null
    join sign_in."user" u on u.id = c."userId"
    where c."userId" = ${of.userId} and c."clientId" = ${of.clientId} and c."referenceId" = ${of.teamId}
      and c."createdAt" <= ${of.by}
    limit 1`.execute(db)
  return rows[0] ? { ...rows[0], sessionId: '' } : null
}

/** A person's connected apps, newest first; at most 200. */
export const listConnections = (db: Reader, userId: string) =>
  queryAll<Connection>(db)`
    select c.id, a.name as "clientName", coalesce(a."redirectUris", '[]') as "redirectUris", t.id as "teamId",
      t.name as "teamName", c."updatedAt" as since
    from sign_in."oauthConsent" c
    join sign_in."oauthClient" a on a."clientId" = c."clientId"
    join sign_in.membership m on m.user_id = c."userId" and m.team_id::text = c."referenceId"
    join public.team t on t.id = m.team_id and t.closed_at is null
    where c."userId" = ${userId} order by c."updatedAt" desc, c.id limit ${maxListed}`

/** Connections of one person, optionally of one client or team; `teamId` null: those without a team. */
type Connections = { readonly userId: string; readonly clientId?: string; readonly teamId?: string | null }

/** Ends connections and their tokens. Touches the clients, so that they stay a while: many apps reconnect as the same one. */
export async function endConnections(db: Reader, of: Connections, now: Date): Promise<void> {
  const theirs = sql`"userId" = ${of.userId}
    ${of.clientId === undefined ? sql`` : sql`and "clientId" = ${of.clientId}`}
    ${of.teamId === undefined ? sql`` : sql`and "referenceId" is not distinct from ${of.teamId}`}`
  const clientIds = await queryColumn<string>(db)`
    delete from sign_in."oauthConsent" where ${theirs} returning "clientId"`
  await sql`delete from sign_in."oauthRefreshToken" where ${theirs}`.execute(db)
  await sql`delete from sign_in."oauthAccessToken" where ${theirs}`.execute(db)
  await sql`update sign_in."oauthClient" set "updatedAt" = ${now} where "clientId" = any(${clientIds})`.execute(db)
}

/** Ends a person's connection; refuses `not_found` when it is not theirs. */
export async function endConnection(tx: Tx, userId: string, id: string): Promise<void> {
  const { rows } = await sql<{ clientId: string; teamId: string | null }>`
    select "clientId", "referenceId" as "teamId" from sign_in."oauthConsent"
    where id = ${id} and "userId" = ${userId} for update`.execute(tx.db)
  await endConnections(tx.db, { userId, ...(rows[0] ?? refuse('not_found', {}, 'No such app')) }, tx.now)
}
