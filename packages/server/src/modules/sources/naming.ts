/**
 * Which source a name means: one of a person, whether they are named by handle or by member id, and one of a company,
 * by slug or by number, as soon as both are known (G146, G153).
 */
import { companyUrnNamed, foldCase, isMemberId, readCompanyNumber } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { PostsOf } from '../../providers/ports.ts'
import { sha256 } from '../../platform/secrets.ts'
import { findCompanies, findCompanyBySlug, findPerson, findPersonByHandle } from '../network/index.ts'

/** What a source identifier is compared by: unique per team over all kinds. Case counts in a member id and in nothing else. */
export const identityOf = (username: string): Buffer => sha256(isMemberId(username) ? username : foldCase(username))

type Kind = 'person' | 'company'

/** The name that somebody keeps when they change the other: a person's member id, the number of a company page. */
export const lastingName = (networkUrn: string): string => readCompanyNumber(networkUrn) ?? networkUrn

/** The network's own id that a name is, null for a handle or a slug, which say it only to whoever has met it. */
function networkUrnNamed(type: Kind, username: string): string | null {
  if (type === 'company') return companyUrnNamed(username)
  return isMemberId(username) ? username : null
}

/** The network's own id and the public name of whom a name means, as far as they have been met. */
async function knownNames(
  db: Reader,
  { teamId, type, username }: { readonly teamId: string; readonly type: Kind; readonly username: string },
): Promise<{ urn: string | null; name: string | null }> {
  const urn = networkUrnNamed(type, username)
  if (type === 'company')
    return urn === null
      ? { urn: (await findCompanyBySlug(db, username))?.urn ?? null, name: username }
      : { urn, name: (await findCompanies(db, [urn])).get(urn)?.slug ?? null }
  return urn === null
    ? { urn: (await findPersonByHandle(db, teamId, username))?.urn ?? null, name: username }
    : { urn, name: (await findPerson(db, teamId, urn))?.handle ?? null }
}

/**
 * The id of the source that a name leads to: the one of that very name; else, and before one that is no longer tracked, another of the
 * same person or page, or a double that an older version made of another spelling of the name (`source_report`).
 */
export async function findSourceByName(
  db: Reader,
  { teamId, type, username }: { readonly teamId: string; readonly type: Kind; readonly username: string },
): Promise<string | undefined> {
  const ofKind = db.selectFrom('source').where('source.team_id', '=', teamId).where('source.type', '=', type)
  const exact = await ofKind
    .select(['id', 'status', 'network_urn'])
    .where('identity', '=', identityOf(username))
    .executeTakeFirst()
  if (exact?.status === 'active') return exact.id
  const { urn, name } = await knownNames(db, { teamId, type, username })
  const urns = [...new Set([urn, exact?.network_urn ?? null])].filter((each) => each !== null)
  const identities = [username, name, ...urns.map(lastingName)].filter((each) => each !== null).map(identityOf)
  if (urns.length === 0 && !exact) return undefined
  const same = await ofKind
    .leftJoin('source_report as report', (join) =>
      join.onRef('report.team_id', '=', 'source.team_id').onRef('report.source_id', '=', 'source.id'),
    )
    .select(['source.id', 'source.status'])
    // A source that is known to be of somebody else is not theirs, whatever it is called: handles are given up and taken by others.
    .where((is) =>
      is.or([
        ...(urns.length > 0
          ? [
              is('source.network_urn', 'in', urns),
              is.and([is('source.network_urn', 'is', null), is('source.identity', 'in', identities)]),
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
export function authorNamed(type: Kind, username: string, networkUrn: string | null): PostsOf {
  const urn = networkUrn ?? networkUrnNamed(type, username)
  return type === 'company' ? { kind: 'company', slug: username, urn } : { kind: 'person', handle: username, urn }
}
