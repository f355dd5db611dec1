/** Posts of excluded people are sent to nobody, whether just found or waiting to be sent (EXC-07, EXC-10). */
import { isMemberId, readPersonName } from '@les/contract'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Post } from '../../providers/ports.ts'
import { findExcludedContacts } from '../leads/index.ts'
import { rememberPeople } from '../network/index.ts'

type PostAuthor = {
  readonly kind: string
  readonly urn: string | null
  readonly otherUrns?: readonly string[]
  readonly url: string | null
}

const namesOf = ({ kind, urn, otherUrns = [], url }: PostAuthor): string[] =>
  kind === 'person' ? [urn, ...otherUrns, url === null ? null : readPersonName(url)].flatMap((name) => name ?? []) : []

/** The indexes of those authors who are excluded. */
export async function findExcludedAuthors(
  db: Reader,
  teamId: string,
  authors: readonly PostAuthor[],
): Promise<ReadonlySet<number>> {
  const named = authors.flatMap((author, place) => namesOf(author).map((profileUrl) => ({ profileUrl, place })))
  if (named.length === 0) return new Set()
  const excluded = await findExcludedContacts(db, teamId, named)
  return new Set([...excluded].map((at) => named[at]!.place))
}

/** Remembers authors under all their ids: a post keeps only one, and the author may later be excluded by another. */
export async function rememberAuthors(tx: Tx, teamId: string, posts: readonly Post[]): Promise<void> {
  const people = posts.flatMap(({ author: { kind, urn, otherUrns, name, url, headline } }) => {
    const named = url === null ? null : readPersonName(url)
    if (kind !== 'person' || urn === null || otherUrns === undefined || url === null || named === null) return []
    return [
      { urn, otherUrns, name, headline, handle: isMemberId(named) ? null : named, linkedinUrl: url, avatarUrl: null },
    ]
  })
  await rememberPeople(tx, teamId, people)
}

/** The ids of those deliveries that are about a post of an excluded author. */
export async function listOfExcludedPosts(
  db: Reader,
  teamId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set()
  const { rows } = await sql<PostAuthor & { id: string }>`
    select d.id, p.author_kind as kind, p.author_urn as urn, p.author_url as url
    from delivery d join post p on p.team_id = d.team_id and p.urn = d.subject
    where d.team_id = ${teamId} and d.id = any(${[...deliveryIds]}::uuid[]) and d.event = 'post.detected'`.execute(db)
  const excluded = await findExcludedAuthors(db, teamId, rows)
  return new Set(rows.flatMap(({ id }, place) => (excluded.has(place) ? [id] : [])))
}
