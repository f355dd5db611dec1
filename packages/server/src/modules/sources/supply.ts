/** Where the posts of a source come from, and how captures of it are named: what differs between kinds of sources. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { findCompanies, findPerson } from '../network/index.ts'
import type { PostsOf } from '../../providers/ports.ts'
import { networkUrnNamed } from './find.ts'
import { findLeftPosts, startRun } from './runs/rows.ts'
import type { Run } from './runs/run.ts'
import { runSettings } from './rules/settings.ts'
import type { Source } from './source.ts'

/** One post, or all that somebody posts. */
type Supply = { readonly kind: 'post'; readonly urn: string } | { readonly kind: 'posts'; readonly of: PostsOf }

/** How the network is asked for the posts of a person or a company: by id where it is known. */
export function authorNamed(type: 'person' | 'company', username: string, networkUrn: string | null): PostsOf {
  const urn = networkUrn ?? networkUrnNamed(type, username)
  return type === 'company' ? { kind: 'company', slug: username, urn } : { kind: 'person', handle: username, urn }
}

/** Where its posts come from; a keyword search's are found before they are captured. */
export function supplyOf({ id, type, username, networkUrn }: Source): Supply {
  if (type === 'post') return { kind: 'post', urn: username }
  if (type === 'keyword') throw new Error(`the posts of search ${id} are found, not listed`)
  return { kind: 'posts', of: authorNamed(type, username, networkUrn) }
}

/**
 * An author with the name that the network has for them now, as far as the team has met them: a feed may name them by it alone, and who
 * was tracked under an earlier one is still meant.
 */
export async function withPresentName(db: Reader, teamId: string, of: PostsOf): Promise<PostsOf> {
  if (of.urn === null) return of
  const alias =
    of.kind === 'person'
      ? (await findPerson(db, teamId, of.urn))?.handle
      : (await findCompanies(db, [of.urn])).get(of.urn)?.slug
  return { ...of, alias: alias ?? null }
}

/** The kind of a source as its leads carry it. */
export const leadKindOf = ({ type }: Source): 'profile' | 'company' | 'post' | 'keyword' =>
  type === 'person' ? 'profile' : type

/** What a run says when the network no longer has what the source names. */
export const goneText = ({ type }: Source): string =>
  type === 'post' ? 'The network has no such post any more' : `The network has no ${type} or post under that name`

/**
 * Starts a run of a source. Until the first sync is made every run reads its window, and takes up the posts that the run before did
 * not finish (G144).
 */
export async function startSourceRun(tx: Tx, picked: Run, source: Source): Promise<Run> {
  const left = source.settings.mode === 'engagers' ? await findLeftPosts(tx.db, source) : []
  const cursor = picked.cursor.phase === 'posts' && left.length > 0 ? { ...picked.cursor, left } : picked.cursor
  return startRun(tx, { run: picked, settings: runSettings(source.settings, !source.everCompleted), cursor })
}
