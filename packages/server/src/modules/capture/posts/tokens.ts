/**
 * `paginationToken`: where a post job goes on, sealed for one team and source, so that nobody can make one up or use
 * another's (PJB-04).
 */
import { openForTeam, sealForTeam } from '../../accounts/index.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { Vault } from '../../../platform/secrets.ts'
import type { PageCursor, VendorId } from '../../../providers/ports.ts'

/** A place in a walk over a vendor's posts: a page, and how many of its rows were shown. */
export type PostsPlace = {
  readonly from: VendorId
  readonly number: number
  readonly cursor: PageCursor
  readonly skip: number
}

const placeOf = (sourceId: string) => `posts-page|${sourceId}`
const shape = /^[A-Za-z0-9_-]{40,4000}$/

/** Writes a place as a token. */
export async function writeToken(
  db: Reader,
  {
    vault,
    source,
    place,
  }: { readonly vault: Vault; readonly source: { teamId: string; id: string }; readonly place: PostsPlace },
): Promise<string> {
  return (
    await sealForTeam(db, { vault, teamId: source.teamId, place: placeOf(source.id), plain: JSON.stringify(place) })
  ).toString('base64url')
}

/** Reads a token of this team and source; null for anything else. */
export async function readToken(
  db: Reader,
  {
    vault,
    source,
    token,
  }: { readonly vault: Vault; readonly source: { teamId: string; id: string }; readonly token: string },
): Promise<PostsPlace | null> {
  if (!shape.test(token)) return null
  const text = await openForTeam(db, {
    vault,
    teamId: source.teamId,
    place: placeOf(source.id),
    sealed: Buffer.from(token, 'base64url'),
  })
  return text === null ? null : (JSON.parse(text) as PostsPlace)
}
