/** What triggers keep for an agent's list: how many people there are, and what authors stand for (docs/decisions/0066). */
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineIds } from '../../src/platform/random.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

const ids = machineIds()
const at = new Date('2026-11-02T08:00:00.000Z')
const topics = 'by these topics'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

type Of = { readonly teamId: string; readonly agentId: string }
type Post = {
  readonly urn: string
  readonly author?: string | null
  readonly topic?: string | null
  readonly says?: string
}

/** A team with an agent. */
async function agentIn(db: Kysely<never>): Promise<Of> {
  const of = { teamId: ids.uuid(at), agentId: ids.uuid(at) }
  await sql`insert into team (id, name, plan, status, reads_limit, writes_limit, untracked_posts_limit,
      keyword_daily_ceiling, capture_allowed, data_key, signing_secret, created_at)
    values (${of.teamId}, 'One', 'growth', 'active', 1, 1, 1, 1, true, '', '', ${at})`.execute(db)
  await sql`insert into agent (team_id, id, status, profile, created_at)
    values (${of.teamId}, ${of.agentId}, 'draft', '{}', ${at})`.execute(db)
  await sql`insert into agent_ranking (team_id, agent_id, asked_at)
    values (${of.teamId}, ${of.agentId}, ${at}) on conflict do nothing`.execute(db)
  return of
}

/** Keeps what a post is about; the post itself is there. */
const keep = (db: Kysely<never>, of: Of, { urn, author = 'author', topic = null, says }: Post) =>
  sql`insert into agent_post (team_id, agent_id, post_urn, topics, text_digest, author_urn, topic, headline_topic, kinds)
    values (${of.teamId}, ${of.agentId}, ${urn}, ${topics}, '', ${author}, ${topic}, ${says ?? null}, '{}')
    on conflict (team_id, post_urn, agent_id) do update set author_urn = excluded.author_urn, topic = excluded.topic,
      headline_topic = excluded.headline_topic`.execute(db)
const write = (db: Kysely<never>, { teamId }: Of, urn: string) =>
  sql`insert into post (team_id, urn, url, author_kind, first_seen_at)
    values (${teamId}, ${urn}, 'https://x', 'person', ${at})`.execute(db)
const forget = (db: Kysely<never>, { teamId }: Of, urn: string) =>
  sql`delete from post where team_id = ${teamId} and urn = ${urn}`.execute(db)
const authors = async (db: Kysely<never>, { teamId }: Of) => {
  const { rows } = await sql<{ author: string; topic: string | null }>`
    select author_urn as author, topic from agent_author where team_id = ${teamId} order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ author, topic }) => [author, topic]))
}

/** Keeps a person of an agent. */
const person = (
  db: Kysely<never>,
  of: Of,
  urn: string,
  [ended, listed, waiting]: readonly [boolean, boolean, boolean],
) =>
  sql`insert into agent_person (team_id, agent_id, person_urn, lead_id, detected_at, ended, waiting, listed, signal,
      engagements, source, judged, round)
    values (${of.teamId}, ${of.agentId}, ${urn}, ${ids.uuid(at)}, ${at}, ${ended}, ${waiting}, ${listed}, 0, 1, 1, '{}', 1)
    on conflict (team_id, agent_id, person_urn)
    do update set ended = excluded.ended, waiting = excluded.waiting, listed = excluded.listed`.execute(db)
const counts = async (db: Kysely<never>, { teamId }: Of) =>
  (await sql`select people, listed, waiting from agent_ranking where team_id = ${teamId}`.execute(db)).rows[0]

describe('the people of an agent', () => {
  it('are counted as they come, change and go [AGT-63]', async () => {
    const db = database.bare as unknown as Kysely<never>
    const of = await agentIn(db)
    const other = await agentIn(db)
    await person(db, of, 'A', [true, true, false])
    await person(db, of, 'B', [false, true, true])
    await person(db, of, 'C', [true, false, false])
    expect(await counts(db, of)).toEqual({ people: 3, listed: 1, waiting: 1 })
    await person(db, of, 'B', [true, true, false])
    expect(await counts(db, of)).toEqual({ people: 3, listed: 2, waiting: 0 })
    await person(db, of, 'A', [true, false, true])
    await sql`delete from agent_person where team_id = ${of.teamId} and person_urn in ('B', 'C')`.execute(db)
    expect(await counts(db, of)).toEqual({ people: 1, listed: 0, waiting: 1 })
    expect(await counts(db, other)).toEqual({ people: 0, listed: 0, waiting: 0 })
  })
})

describe('what an author stands for', () => {
  it('follows each post that is kept, judged anew or deleted [AGT-71]', async () => {
    const db = database.bare as unknown as Kysely<never>
    const of = await agentIn(db)
    for (const urn of ['1', '2', '3', '4']) await write(db, of, urn)
    await keep(db, of, { urn: '1', topic: 'pumps' })
    await keep(db, of, { urn: '2', topic: 'drills' })
    expect(await authors(db, of)).toEqual({ author: 'drills' })
    await keep(db, of, { urn: '3', topic: 'pumps' })
    expect(await authors(db, of)).toEqual({ author: 'pumps' })
    await keep(db, of, { urn: '4', says: 'valves' })
    expect(await authors(db, of)).toEqual({ author: 'valves' })
    await forget(db, of, '4')
    await forget(db, of, '1')
    expect(await authors(db, of)).toEqual({ author: 'pumps' })
    await keep(db, of, { urn: '3', author: 'another', topic: 'pumps' })
    expect(await authors(db, of)).toEqual({ another: 'pumps', author: 'drills' })
    await keep(db, of, { urn: '3', author: null, topic: 'pumps' })
    await forget(db, of, '2')
    expect(await authors(db, of)).toEqual({})
  })

  it('counts no more than the newest 200 posts', async () => {
    const db = database.bare as unknown as Kysely<never>
    const of = await agentIn(db)
    for (let n = 100; n < 310; n++) await write(db, of, String(n))
    for (let n = 100; n < 310; n++) await keep(db, of, { urn: String(n), topic: n < 205 ? 'pumps' : 'drills' })
    expect(await authors(db, of)).toEqual({ author: 'drills' })
    await forget(db, of, '309')
    for (let n = 300; n < 309; n++) await forget(db, of, String(n))
    // 105 old ones are about pumps, 95 newer ones about drills.
    expect(await authors(db, of)).toEqual({ author: 'pumps' })
  })

  it.each(['keeping', 'deleting'] as const)(
    'is right when one transaction keeps a post of theirs and another deletes one meanwhile, %s first [AGT-71]',
    async (first) => {
      const db = database.bare as unknown as Kysely<never>
      const of = await agentIn(db)
      for (const urn of ['1', '2', '3']) await write(db, of, urn)
      await keep(db, of, { urn: '1', topic: 'drills' })
      await keep(db, of, { urn: '2', topic: 'pumps' })
      const act = {
        keeping: (tx: Kysely<never>) => keep(tx, of, { urn: '3', topic: 'drills' }),
        deleting: (tx: Kysely<never>) => forget(tx, of, '1'),
      }
      const second = first === 'keeping' ? 'deleting' : 'keeping'
      let other: Promise<unknown> | undefined
      await db.transaction().execute(async (tx) => {
        await act[first](tx as never)
        other = act[second](db)
        const waiting = async () => {
          const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
          return rows.length
        }
        await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0)
      })
      await other
      // One post of each topic is left: the newer says.
      expect(await authors(db, of)).toEqual({ author: 'drills' })
      await forget(db, of, '3')
      expect(await authors(db, of)).toEqual({ author: 'pumps' })
    },
  )
})
