/** A team's signing secrets and stored third-party keys (G47; AUT-17). */
import { sql } from 'kysely'
import { camelKeys } from '../../platform/db/columns.ts'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Vault } from '../../platform/secrets.ts'

/** A team's wrapped data key and signing secrets, still sealed; null for an unknown team. */
export async function findTeamSecrets(db: Reader, id: string) {
  const row = await db
    .selectFrom('team')
    .select(['id', 'data_key', 'signing_secret', 'previous_signing_secret', 'previous_secret_until'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? camelKeys(row) : null
}

async function secretsOf(db: Reader, id: string) {
  const team = await findTeamSecrets(db, id)
  if (!team) throw new Error('secrets of a team that does not exist')
  return team
}

/** Binds a sealed signing secret to its purpose. */
export const signingSecretKind = 'signing-secret'

/** Third parties for which a team may store a key. */
export const credentialKinds = ['openai', 'anthropic', 'google', 'mistral', 'outreach'] as const

export type CredentialKind = (typeof credentialKinds)[number]

/** A signing secret as text: `whsec_` and base64. */
export function writeSigningSecret(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`
}

/** The bytes of a secret written by `writeSigningSecret`. */
export function readSigningSecret(secret: string): Buffer {
  if (!secret.startsWith('whsec_')) throw new Error('a signing secret begins with whsec_')
  return Buffer.from(secret.slice('whsec_'.length), 'base64')
}

/** Secrets that sign deliveries at `now`: the current one and, during a rotation, the previous. Throws for an unknown team. */
export async function readSigningSecrets(
  db: Reader,
  { vault, teamId, now }: { vault: Vault; teamId: string; now: Date },
): Promise<{ current: string; previous: string | null }> {
  const team = await secretsOf(db, teamId)
  const open = (sealed: Buffer) => writeSigningSecret(vault.openFor(team, signingSecretKind, sealed))
  const rotating =
    team.previousSigningSecret !== null && team.previousSecretUntil !== null && team.previousSecretUntil > now
  return { current: open(team.signingSecret), previous: rotating ? open(team.previousSigningSecret!) : null }
}

const boundTo = (kind: CredentialKind) => `credential|${kind}`

/** Stores or replaces a third party's key, sealed; false for an unknown team. */
export async function storeCredential(
  tx: Tx,
  { vault, teamId, kind, key }: { vault: Vault; teamId: string; kind: CredentialKind; key: string },
): Promise<boolean> {
  const team = await findTeamSecrets(tx.db, teamId)
  if (!team) return false
  const sealed = vault.sealFor(team, boundTo(kind), key)
  await sql`
    insert into team_credential (team_id, kind, sealed, stored_at) values (${teamId}, ${kind}, ${sealed}, ${tx.now})
    on conflict (team_id, kind) do update set sealed = excluded.sealed, stored_at = excluded.stored_at`.execute(tx.db)
  return true
}

/** Deletes a third party's key, if stored. */
export async function clearCredential(tx: Tx, teamId: string, kind: CredentialKind): Promise<void> {
  await sql`delete from team_credential where team_id = ${teamId} and kind = ${kind}`.execute(tx.db)
}

/** A third party's key in plaintext; null when none is stored. */
export async function readCredential(
  db: Reader,
  { vault, teamId, kind }: { vault: Vault; teamId: string; kind: CredentialKind },
): Promise<string | null> {
  const stored = await queryOne<{ sealed: Buffer }>(db)`
    select sealed from team_credential where team_id = ${teamId} and kind = ${kind}`
  const team = stored && (await findTeamSecrets(db, teamId))
  return team ? vault.openFor(team, boundTo(kind), stored.sealed).toString() : null
}

/** Seals text under a team's data key, bound to team and `place`; throws for an unknown team. */
export async function sealForTeam(
  db: Reader,
  { vault, teamId, place, plain }: { vault: Vault; teamId: string; place: string; plain: string },
): Promise<Buffer> {
  return vault.sealFor(await secretsOf(db, teamId), place, plain)
}

/** Opens text sealed by `sealForTeam` for the same team and place; null for anything else. */
export async function openForTeam(
  db: Reader,
  { vault, teamId, place, sealed }: { vault: Vault; teamId: string; place: string; sealed: Buffer },
): Promise<string | null> {
  const team = await findTeamSecrets(db, teamId)
  if (!team) return null
  try {
    return vault.openFor(team, place, sealed).toString()
  } catch {
    return null
  }
}

/** The third parties whose key a team has stored, and since when. */
export const listCredentials = (db: Reader, teamId: string) =>
  queryAll<{ kind: string; storedAt: Date }>(db)`
    select kind, stored_at as "storedAt" from team_credential where team_id = ${teamId} order by kind`

/** 32 bytes for one purpose of a team, always the same; throws for an unknown team. */
export async function deriveForTeam(
  db: Reader,
  { vault, teamId, purpose }: { vault: Vault; teamId: string; purpose: string },
): Promise<Buffer> {
  return vault.deriveFor(await secretsOf(db, teamId), purpose)
}
