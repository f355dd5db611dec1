/** Which source a name means: of a person one, whether they are named by handle or by member id, as soon as both are known (G146). */
import { foldCase, isMemberId } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { PostsOf } from '../../providers/ports.ts'
import { sha256 } from '../../platform/secrets.ts'
import { findPerson, findPersonByHandle } from '../directory/index.ts'

/** What a source identifier is compared by: unique per team over all kinds. Case counts in a member id and in nothing else. */
export const identityOf = (username: string): Buffer => sha256(isMemberId(username) ? username : foldCase(username))

/** Member id and handle of whom a name means, as far as the team has met them. */
async function knownNames(
  db: Reader,
  teamId: string,
  username: string,
): Promise<{ urn: string | null; handle: string | null }> {
  if (isMemberId(username)) return { urn: username, handle: (await findPerson(db, teamId, username))?.handle ?? null }
  return { urn: (await findPersonByHandle(db, teamId, username))?.urn ?? null, handle: username }
}

/**
 * The id of the source that a name leads to: the one of that very name; else, and before one that is no longer tracked, another of the
 * same person, or a double that an older version made of another spelling of the name (`source_report`).
 */
export async function findSourceByName(
  db: Reader,
  {
    teamId,
    type,
    username,
  }: { readonly teamId: string; readonly type: 'person' | 'company'; readonly username: string },
): Promise<string | undefined> {
  const ofKind = db.selectFrom('source').where('source.team_id', '=', teamId).where('source.type', '=', type)
  const exact = await ofKind
    .select(['id', 'status', 'network_urn'])
    .where('identity', '=', identityOf(username))
    .executeTakeFirst()
  if (exact?.status === 'active') return exact.id
  const { urn, handle } = type === 'person' ? await knownNames(db, teamId, username) : { urn: null, handle: null }
  const urns = [...new Set([urn, exact?.network_urn ?? null])].filter((each) => each !== null)
  const identities = [urn, handle].filter((each) => each !== null).map(identityOf)
  if (urns.length === 0 && !exact) return undefined
  const same = await ofKind
    .leftJoin('source_report as report', (join) =>
      join.onRef('report.team_id', '=', 'source.team_id').onRef('report.source_id', '=', 'source.id'),
    )
    .select(['source.id', 'source.status'])
    // A source that is known to be of somebody else is not theirs, whatever it is called: handles are given up and taken by others.
    .where((is) =>
      is.or([
        ...(type === 'person' && urns.length > 0
          ? [
              is('source.network_urn', 'in', urns),
              is.and([
                is('source.network_urn', 'is', null),
                is('source.identity', 'in', identities.length > 0 ? identities : [identityOf(username)]),
              ]),
            ]
          : []),
        ...(exact ? [is('report.other_id', '=', exact.id)] : []),
      ]),
    )
    .orderBy('source.status')
    .orderBy('source.created_at')
    .orderBy('source.id')
    .executeTakeFirst()
  return exact && same?.status !== 'active' ? exact.id : same?.id
}

/** How the network is asked for the posts of a person or a company: by id where it is known. */
export function authorNamed(type: 'person' | 'company', username: string, networkUrn: string | null): PostsOf {
  if (type === 'company') return { kind: 'company', slug: username, urn: networkUrn }
  return { kind: 'person', handle: username, urn: networkUrn ?? (isMemberId(username) ? username : null) }
}
