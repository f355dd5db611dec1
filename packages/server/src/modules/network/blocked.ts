/**
 * The list of people a team has had erased and stores no rows of again. The only writer of `blocked_person`, which holds only an
 * HMAC-SHA256 of each name, keyed by a key derived from the team's data key.
 */
import { foldText, normalizeHandle, readExclusionValue, withoutUnseen } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { hmacSha256, type Vault } from '../../platform/secrets.ts'
import type { Post } from '../../providers/ports.ts'
import { deriveForTeam, identifyingNames, type ErasedPerson, type NamesErased } from '../accounts/index.ts'
import { nameAs, namesMentioned, type PersonName } from './rules/mentions.ts'

/** The names of a person in an answer of the network; `mails`: addresses said to be theirs. */
export type PersonNamed = {
  readonly urn: string | null
  readonly otherUrns?: readonly string[]
  readonly handle: string | null
  readonly mails?: readonly string[]
}

/** The blocked ones among the people asked about, by member id and handle. */
export type Blocked = {
  readonly names: ReadonlySet<string>
  has(person: PersonNamed): boolean
}

export type BlockList = {
  hashOf(db: Reader, teamId: string, name: PersonName): Promise<Buffer>
  /** Blocks a person under each name; a name already blocked keeps its earlier erasure. */
  block(
    tx: Tx,
    teamId: string,
    person: { readonly names: readonly PersonName[]; readonly erasureId: string },
  ): Promise<void>
  /** The erasure that blocked one of these names. */
  erasureOf(db: Reader, teamId: string, names: readonly PersonName[]): Promise<string | undefined>
  /** How many names a team has blocked. It grows with each erasure, so an answer read since the same number names nobody erased. */
  countBlocked(db: Reader, teamId: string): Promise<number>
  /** Which of these people are blocked: one indexed look-up, fewer while the team has nobody blocked. */
  findBlocked(db: Reader, teamId: string, people: readonly PersonNamed[]): Promise<Blocked>
  /** Blocks recognised people under all names that came along with the blocked one (PRV-06). */
  blockAliases(tx: Tx, teamId: string, people: readonly PersonNamed[]): Promise<void>
  /** Reduces posts of blocked authors (whose names it learns) and posts emptied by an erasure to their URN and counts. */
  withoutAuthors(tx: Tx, teamId: string, posts: readonly Post[]): Promise<readonly Post[]>
  /** Which of these values name a blocked person; one query, plus those for each team that has blocked people. */
  readonly namesErased: NamesErased
}

/** All names under which an erased person is blocked. */
export const blockedNames = ({ urns, handles, names, mails = [] }: ErasedPerson): PersonName[] => [
  ...urns.map((urn) => ({ urn })),
  ...handles.map((handle) => ({ handle })),
  ...mails.map((mail) => ({ mail })),
  ...identifyingNames(names).map((name) => ({ name })),
]

/** An erasure is dated by its start and takes at most this long; what a team sends meanwhile may still name the person. */
const longestErasureMs = 60_000

/** SQL: whether what a team sent at an instant (also SQL) may name a person it has had erased since. */
export const mayHaveNamedErased = (teamId: string, at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from erasure e where e.team_id = ${teamId}
    and e.erased_at > ${at} - make_interval(secs => ${longestErasureMs / 1_000}))`

const newestErasure = async (db: Reader, teamId: string): Promise<Date | null> =>
  (await queryValue<Date | null>(db)`
    select max(erased_at) as newest from erasure where team_id = ${teamId}`)!

const nobody: Blocked = { names: new Set(), has: () => false }

function comparedMail(mail: string): string {
  const read = readExclusionValue('email', mail)
  return 'key' in read ? read.key : withoutUnseen(mail).toLowerCase()
}

function textOf(name: PersonName): string {
  if ('urn' in name) return `urn:${name.urn}`
  if ('handle' in name) {
    // A profile address may contain a member id in place of a handle.
    const named = nameAs(normalizeHandle(name.handle))
    return 'urn' in named ? textOf(named) : `handle:${named.handle}`
  }
  return 'mail' in name ? `mail:${comparedMail(name.mail)}` : `name:${foldText(name.name).trim()}`
}

const namesOf = ({ urn, otherUrns = [], handle, mails = [] }: PersonNamed): PersonName[] => [
  ...(urn === null ? [] : [{ urn }]),
  ...otherUrns.map((other) => ({ urn: other })),
  ...(handle === null ? [] : [{ handle }]),
  ...mails.map((mail) => ({ mail })),
]

/** The handle in the address of a profile or a post. */
export function handleInAddress(url: string | null): string | null {
  const path = url === null ? undefined : URL.parse(url)?.pathname
  const found = path && /^\/(?:in\/([^/]+)|posts\/([^/_]+)_)/.exec(path)
  return found ? normalizeHandle(found[1] ?? found[2]!) : null
}

/** The names of a post's author, who may be known only by the post's addresses. */
export const authorsOf = ({ author, url }: Post): readonly PersonNamed[] =>
  author.kind === 'company'
    ? []
    : [
        { urn: author.urn, otherUrns: author.otherUrns ?? [], handle: handleInAddress(author.url) },
        { urn: null, handle: handleInAddress(url) },
      ]

export function openBlockList(vault: Vault): BlockList {
  const hasherOf = async (db: Reader, teamId: string) => {
    const key = await deriveForTeam(db, { vault, teamId, purpose: 'blocked-person' })
    return (name: PersonName): Buffer => hmacSha256(key, textOf(name))
  }
  const find = async (db: Reader, teamId: string, hashes: readonly Buffer[]) => {
    return queryAll<{ hash: Buffer; erasureId: string }>(db)`
      select hash, erasure_id as "erasureId" from blocked_person
      where team_id = ${teamId} and hash = any(${[...hashes]}::bytea[]) order by hash`
  }
  const findBlocked: BlockList['findBlocked'] = async (db, teamId, people) => {
    if (people.length === 0) return nobody
    const { rows } = await sql`select 1 from blocked_person where team_id = ${teamId} limit 1`.execute(db)
    if (rows.length === 0) return nobody
    const hash = await hasherOf(db, teamId)
    const asked = new Map(people.flatMap(namesOf).map((name) => [hash(name).toString('hex'), name]))
    const found = await find(
      db,
      teamId,
      [...asked.keys()].map((hex) => Buffer.from(hex, 'hex')),
    )
    const names = new Set(found.map((row) => textOf(asked.get(row.hash.toString('hex'))!)))
    const has = (person: PersonNamed) => namesOf(person).some((name) => names.has(textOf(name)))
    return { names, has }
  }
  const namesErased: NamesErased = async (db, said) => {
    const teamIds = [...new Set(said.map(({ teamId }) => teamId))]
    const { rows } = await sql<{ id: string }>`
      select asked.team_id as id from unnest(${teamIds}::uuid[]) as asked (team_id)
      where exists (select 1 from blocked_person b where b.team_id = asked.team_id)`.execute(db)
    const found = new Set<(typeof said)[number]>()
    for (const { id } of rows) {
      const hash = await hasherOf(db, id)
      const theirs = said.filter(({ teamId }) => teamId === id)
      const newest = await newestErasure(db, id)
      for (const one of theirs) if (newest !== null && one.at !== undefined && one.at < newest) found.add(one)
      const byHash = new Map<string, (typeof said)[number][]>()
      for (const one of theirs)
        for (const name of namesMentioned(one.value)) {
          const hex = hash(name).toString('hex')
          byHash.set(hex, [...(byHash.get(hex) ?? []), one])
        }
      const hashes = [...byHash.keys()].map((hex) => Buffer.from(hex, 'hex'))
      for (const { hash: blocked } of await find(db, id, hashes))
        for (const one of byHash.get(blocked.toString('hex')) ?? []) found.add(one)
    }
    return said.map((one) => found.has(one))
  }
  const blockAliases: BlockList['blockAliases'] = async (tx, teamId, people) => {
    if (people.length === 0) return
    const hash = await hasherOf(tx.db, teamId)
    const named = people.map((person) => namesOf(person).map(hash))
    const known = new Map((await find(tx.db, teamId, named.flat())).map((row) => [row.hash.toString('hex'), row]))
    const learned = named.flatMap((hashes) => {
      const by = hashes.flatMap((each) => known.get(each.toString('hex')) ?? [])[0]
      return by === undefined ? [] : hashes.map((each) => ({ hash: each, erasureId: by.erasureId }))
    })
    // Sorted by hash, so that two pages that learn the same people cannot deadlock.
    await sql`
      insert into blocked_person (team_id, hash, erasure_id)
      select ${teamId}::uuid, l.hash, l.erasure_id
      from unnest(${learned.map((one) => one.hash)}::bytea[], ${learned.map((one) => one.erasureId)}::uuid[]) as l (hash, erasure_id)
      order by l.hash on conflict do nothing`.execute(tx.db)
  }
  return {
    namesErased,
    hashOf: async (db, teamId, name) => (await hasherOf(db, teamId))(name),
    block: async (tx, teamId, { names, erasureId }) => {
      const hash = await hasherOf(tx.db, teamId)
      await sql`
        insert into blocked_person (team_id, hash, erasure_id)
        select distinct ${teamId}::uuid, hash, ${erasureId}::uuid from unnest(${names.map(hash)}::bytea[]) as hash
        on conflict do nothing`.execute(tx.db)
    },
    erasureOf: async (db, teamId, names) => {
      const hash = await hasherOf(db, teamId)
      return (await find(db, teamId, names.map(hash)))[0]?.erasureId
    },
    countBlocked: async (db, teamId) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from blocked_person where team_id = ${teamId}`.execute(db)
      return rows[0]!.count
    },
    findBlocked,
    blockAliases,
    withoutAuthors: async (tx, teamId, posts) => {
      const authors = posts.flatMap(authorsOf)
      const blocked = await findBlocked(tx.db, teamId, authors)
      if (blocked === nobody) return posts
      await blockAliases(tx, teamId, authors.filter(blocked.has))
      // A post that an erasure has emptied stays empty, even if its author now has another name.
      const { rows } = await sql<{ urn: string }>`
        select urn from post where team_id = ${teamId} and urn = any(${posts.map(({ urn }) => urn)}::text[])
          and author_kind = 'erased'`.execute(tx.db)
      const known = new Set(rows.map((row) => row.urn))
      const isTheirs = (post: Post) => known.has(post.urn) || authorsOf(post).some(blocked.has)
      return posts.map((post) => (isTheirs(post) ? withoutAuthor(post) : post))
    },
  }
}

const withoutAuthor = (post: Post): Post => ({
  ...post,
  url: `https://www.linkedin.com/feed/update/${post.urn}`,
  text: null,
  author: { kind: 'erased', urn: null, name: null, url: null, headline: null },
})

/** Erases what was captured of a person recognised as erased, and blocks all their names (`privacy/erase.ts`; PRV-04, PRV-06). */
export type EraseRecognised = (tx: Tx, teamId: string, person: PersonNamed) => Promise<void>

/** Needed where posts are stored outside of capture. */
export type RecognisingDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly blockList: BlockList
  readonly eraseRecognised: EraseRecognised
}

/**
 * Erases post authors recognised as erased. Call it between the unit that stores the posts and the one that answers them; after a
 * crash the next page with such posts does it.
 */
export async function eraseRecognisedAuthors(
  { db, unitOfWork, blockList, eraseRecognised }: RecognisingDeps,
  teamId: string,
  posts: readonly Post[],
): Promise<void> {
  const authors = posts.flatMap(authorsOf)
  const blocked = await blockList.findBlocked(db, teamId, authors)
  const recognised = new Map(
    authors.filter(blocked.has).map((person) => [JSON.stringify([person.urn, person.handle]), person]),
  )
  for (const person of recognised.values()) await unitOfWork((tx) => eraseRecognised(tx, teamId, person))
}
