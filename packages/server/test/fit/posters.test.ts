/** The topic an author stands for, by the posts that an agent has judged. */
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgePosters, topicsDigest } from '../../src/modules/fit/ranking/posts.ts'
import { machineIds } from '../../src/platform/random.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'

const ids = machineIds()
const at = new Date('2026-11-02T08:00:00.000Z')
const topics = ['pumps', 'drills', 'valves']

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

async function agentIn(db: Kysely<never>): Promise<Of> {
  const of = { teamId: ids.uuid(at), agentId: ids.uuid(at) }
  await insertTeams(db, [of.teamId], at)
  await sql`insert into agent (team_id, id, status, profile, created_at)
    values (${of.teamId}, ${of.agentId}, 'draft', '{}', ${at})`.execute(db)
  return of
}

const keep = (db: Kysely<never>, of: Of, { urn, author = 'author', topic = null, says }: Post) =>
  sql`insert into agent_post (team_id, agent_id, post_urn, topics, text_digest, author_urn, topic, headline_topic, kinds)
    values (${of.teamId}, ${of.agentId}, ${urn}, ${topicsDigest(topics)}, '', ${author}, ${topic}, ${says ?? null}, '{}')
    on conflict (team_id, post_urn, agent_id) do update set author_urn = excluded.author_urn, topic = excluded.topic,
      headline_topic = excluded.headline_topic`.execute(db)
const write = (db: Kysely<never>, { teamId }: Of, urn: string) =>
  sql`insert into post (team_id, urn, url, author_kind, first_seen_at)
    values (${teamId}, ${urn}, 'https://x', 'person', ${at})`.execute(db)
const forget = (db: Kysely<never>, { teamId }: Of, urn: string) =>
  sql`delete from post where team_id = ${teamId} and urn = ${urn}`.execute(db)
const authors = async (db: Kysely<never>, agent: Of) => {
  const { rows } = await sql<{ author: string; urn: string }>`
    select distinct on (author_urn) author_urn as author, post_urn as urn from agent_post
    where team_id = ${agent.teamId} and author_urn is not null order by 1`.execute(db)
  const posterOf = await judgePosters(db as never, agent, { urns: rows.map((row) => row.urn), topics, judgedHere: [] })
  return Object.fromEntries(rows.map(({ author, urn }) => [author, posterOf(urn)]))
}

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
})
