/** Which source a person's name means: one, whether they are named by handle or by member id, as soon as both are known (G146). */
import { isMemberId } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { PostsOf } from '../../providers/ports.ts'
import { sha256 } from '../../platform/secrets.ts'
import { findPerson, findPersonByHandle } from '../directory/index.ts'

/** What a source identifier is compared by: unique per team over all kinds. Case counts in a member id and in nothing else. */
export const identityOf = (username: string): Buffer => sha256(isMemberId(username) ? username : username.normalize('NFC').toLowerCase())

/** Member id and handle of whom a name means, as far as the team has met them. */
async function knownNames(db: Reader, teamId: string, username: string): Promise<{ urn: string | null; handle: string | null }> {
  if (isMemberId(username)) return { urn: username, handle: (await findPerson(db, teamId, username))?.handle ?? null }
  return { urn: (await findPersonByHandle(db, teamId, username))?.urn ?? null, handle: username }
}

/** The id of the person source that a handle or member id leads to: one that is tracked before one that is not, one of that very name before one of the same person. */
export async function findPersonSource(db: Reader, teamId: string, username: string): Promise<string | undefined> {
  const ofPeople = db.selectFrom('source').select(['id', 'status']).where('team_id', '=', teamId).where('type', '=', 'person')
  const exact = await ofPeople.where('identity', '=', identityOf(username)).executeTakeFirst()
  if (exact?.status === 'active') return exact.id
  const { urn, handle } = await knownNames(db, teamId, username)
  if (urn === null) return exact?.id
  const identities = [urn, ...(handle === null ? [] : [handle])].map(identityOf)
  const same = await ofPeople
    // A source that is known to be of somebody else is not theirs, whatever it is called: handles are given up and taken by others.
    .where((is) => is.or([is('network_urn', '=', urn), is.and([is('network_urn', 'is', null), is('identity', 'in', identities)])]))
    .orderBy('status')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
  return exact && same?.status !== 'active' ? exact.id : same?.id
}

/** How the network is asked for the posts of a person or a company: by id where it is known. */
export function authorNamed(type: 'person' | 'company', username: string, networkUrn: string | null): PostsOf {
  if (type === 'company') return { kind: 'company', slug: username, urn: networkUrn }
  return { kind: 'person', handle: username, urn: networkUrn ?? (isMemberId(username) ? username : null) }
}
