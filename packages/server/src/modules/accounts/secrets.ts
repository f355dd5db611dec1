/** A team's own secrets: its webhook signing secrets and the third-party keys kept for it (G47; AUT-17). */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Vault } from '../../platform/secrets.ts'
import { deleteCredential, findCredential, findTeamSecrets, upsertCredential } from './store.ts'

/** What the sealed signing secret is bound to, besides the team. */
export const signingSecretKind = 'signing-secret'

/** The third parties whose keys a team may store. */
export const credentialKinds = ['openai', 'anthropic', 'google', 'mistral', 'outreach'] as const

/** One of them. */
export type CredentialKind = (typeof credentialKinds)[number]

/** 32 bytes as the text a receiver is given: `whsec_` and base64. */
export function writeSigningSecret(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`
}

/**
 * The secrets a team's deliveries are signed with at `now`: the current one, and while a rotation lasts the one before.
 * Throws for an unknown team.
 */
export async function readSigningSecrets(
  db: Reader,
  { vault, teamId, now }: { readonly vault: Vault; readonly teamId: string; readonly now: Date },
): Promise<{ current: string; previous: string | null }> {
  const team = await findTeamSecrets(db, teamId)
  if (!team) throw new Error('signing secrets of a team that does not exist')
  const open = (sealed: Buffer) => writeSigningSecret(vault.openFor(team, signingSecretKind, sealed))
  const rotating =
    team.previousSigningSecret !== null && team.previousSecretUntil !== null && team.previousSecretUntil > now
  return { current: open(team.signingSecret), previous: rotating ? open(team.previousSigningSecret!) : null }
}

const boundTo = (kind: CredentialKind) => `credential|${kind}`

/** Stores or replaces a third party's key, sealed; false for an unknown team. */
export async function storeCredential(
  tx: Tx,
  {
    vault,
    teamId,
    kind,
    key,
  }: { readonly vault: Vault; readonly teamId: string; readonly kind: CredentialKind; readonly key: string },
): Promise<boolean> {
  const team = await findTeamSecrets(tx.db, teamId)
  if (!team) return false
  await upsertCredential(tx, { teamId, kind, sealed: vault.sealFor(team, boundTo(kind), key) })
  return true
}

/** Forgets a third party's key; forgetting what is not there is fine. */
export async function clearCredential(tx: Tx, teamId: string, kind: CredentialKind): Promise<void> {
  await deleteCredential(tx, teamId, kind)
}

/** A third party's key in the clear; null when none is stored. */
export async function readCredential(
  db: Reader,
  { vault, teamId, kind }: { readonly vault: Vault; readonly teamId: string; readonly kind: CredentialKind },
): Promise<string | null> {
  const sealed = await findCredential(db, teamId, kind)
  if (!sealed) return null
  const team = await findTeamSecrets(db, teamId)
  return team ? vault.openFor(team, boundTo(kind), sealed).toString() : null
}

/** Seals text under a team's data key, bound to the team and `place`; throws for an unknown team. */
export async function sealForTeam(
  db: Reader,
  {
    vault,
    teamId,
    place,
    plain,
  }: { readonly vault: Vault; readonly teamId: string; readonly place: string; readonly plain: string },
): Promise<Buffer> {
  const team = await findTeamSecrets(db, teamId)
  if (!team) throw new Error('a secret of a team that does not exist')
  return vault.sealFor(team, place, plain)
}

/** Opens what `sealForTeam` made for the same team and place; null for anything else. */
export async function openForTeam(
  db: Reader,
  {
    vault,
    teamId,
    place,
    sealed,
  }: { readonly vault: Vault; readonly teamId: string; readonly place: string; readonly sealed: Buffer },
): Promise<string | null> {
  const team = await findTeamSecrets(db, teamId)
  if (!team) return null
  try {
    return vault.openFor(team, place, sealed).toString()
  } catch {
    return null
  }
}
