/** What differs between kinds of sources: where their posts come from, and how their captures are named. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { findCompanies, findPerson } from '../network/index.ts'
import type { PostsOf } from '../../providers/ports.ts'
import { networkUrnNamed } from './find.ts'
import { findLeftPosts, startRun } from './runs/rows.ts'
import type { Run } from './runs/run.ts'
import { runSettings } from './rules/settings.ts'
import type { Source } from './source.ts'

type Supply = { readonly kind: 'post'; readonly urn: string } | { readonly kind: 'posts'; readonly of: PostsOf }

/** How to ask the network for the posts of a person or company: by id when it is known. */
export function authorNamed(type: 'person' | 'company', username: string, networkUrn: string | null): PostsOf {
  const urn = networkUrn ?? networkUrnNamed(type, username)
  return type === 'company' ? { kind: 'company', slug: username, urn } : { kind: 'person', handle: username, urn }
}

/** Where a source's posts come from; throws for a keyword search, whose posts are found before capture. */
export function supplyOf({ id, type, username, networkUrn }: Source): Supply {
  if (type === 'post') return { kind: 'post', urn: username }
  if (type === 'keyword') throw new Error(`the posts of search ${id} are found, not listed`)
  return { kind: 'posts', of: authorNamed(type, username, networkUrn) }
}

/** Adds the author's current name, if the team knows it: a feed may give only that, and the source may have an older one. */
export async function withPresentName(db: Reader, teamId: string, of: PostsOf): Promise<PostsOf> {
  if (of.urn === null) return of
  const alias =
    of.kind === 'person'
      ? (await findPerson(db, teamId, of.urn))?.handle
      : (await findCompanies(db, [of.urn])).get(of.urn)?.slug
  return { ...of, alias: alias ?? null }
}

/** A source's kind on its leads. */
export const leadKindOf = ({ type }: Source): 'profile' | 'company' | 'post' | 'keyword' =>
  type === 'person' ? 'profile' : type

/** What a run reports when the network no longer has what the source names. */
export const goneText = ({ type }: Source): string =>
  type === 'post' ? 'The network has no such post any more' : `The network has no ${type} or post under that name`

/** Starts a run. Until the first sync is made, every run reads its window and takes up the posts the run before left (G144). */
export async function startSourceRun(tx: Tx, picked: Run, source: Source): Promise<Run> {
  const left = source.settings.mode === 'engagers' ? await findLeftPosts(tx.db, source) : []
  const cursor = picked.cursor.phase === 'posts' && left.length > 0 ? { ...picked.cursor, left } : picked.cursor
  return startRun(tx, { run: picked, settings: runSettings(source.settings, !source.everCompleted), cursor })
}
