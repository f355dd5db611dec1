/** Substring filters on many leads: every way of finding them gives the same order (specification «Leads»; G37). */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { rotatingShare } from '../world/amount.ts'
import { recountLeads } from '../world/lists.ts'
import { anyShard } from '../world/shards.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

it('substrings of any length in a few and in very many texts give the newest leads and people first, and totals up ' +
  'to 10,000 [LED-24, LED-08, LED-01, ENG-01, ENG-02]', async () => {
  const team = await world.team({ credits: 1_000 })
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 1 })
  await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
  await world.drain()
  // SQL inserts thousands of rows, which would take minutes to capture, and removes them before the oracle runs.
  const db = world.database.root
  const stored = await sql<{
    list: string
  }>`select string_agg(column_name, ', ') as list from information_schema.columns
    where table_schema = ${anyShard} and table_name = 'lead' and is_generated = 'NEVER'`.execute(db)
  const columns = sql.raw(stored.rows[0]!.list)
  // 10,400 leads of 10,200 people with 3,000 names, 10,000 of them in one country; the oldest 400 are in another.
  await sql`
    insert into lead (${columns}) select ${columns} from (
      select copy.*
        from lead l cross join generate_series(1, 10400) n
        cross join lateral jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'engagement_key',
              'copy:' || n, 'person_urn', 'ACoAAcopy' || n % 10200, 'name', 'Zqwerty ' || n % 3000,
        'country', case when n > 10000 then 'Yx' else 'Landia' end, 'created_at',
        l.created_at - (n || ' seconds')::interval)) copy
        where l.team_id = ${team.id} and l.engagement_key not like 'copy:%') copy`.execute(db)
  for (const column of ['name', 'country'])
    await sql`insert into lead_text (team_id, field, key, folded)
      select distinct team_id, ${column}, ${sql.id(`${column}_key`)}, ${sql.id(`${column}_folded`)} from lead
      where team_id = ${team.id} and engagement_key like 'copy:%' on conflict do nothing`.execute(db)

  await recountLeads(db, team.id)

  const expected = async (condition: string, people: boolean): Promise<string[]> => {
    const chosen = sql`select ${people ? sql`distinct on (person_urn)` : sql``} id, linkedin_url, created_at from lead
      where team_id = ${team.id} and ${sql.raw(condition)} ${
        people
          ? sql`order by person_urn, created_at desc,
          id desc`
          : sql``
      }`
    return (
      await sql<{
        at: string
      }>`select to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from (${chosen}) chosen
        order by created_at desc, id desc`.execute(db)
    ).rows.map((row) => row.at)
  }
  const queries = [
    ['name=qwer', `name like 'Zqwer%'`],
    ['name=zq', `name like 'Zq%'`],
    ['name=Q', `name ilike '%q%'`],
    ['name=y 299', `name like '%y 299%'`],
    ['name=9%209', `false`],
    ['country=land', `country = 'Landia'`],
    ['country=yx', `country = 'Yx'`],
    ['country=x', `country ilike '%x%'`],
    ['country=yx&name=qw', `country = 'Yx' and name like 'Zqw%'`],
    ['name=y 299&engagementType=Like', `name like '%y 299%'`],
  ] as const
  const lists = [
    ['leads', 'createdAt'],
    ['engagers', 'lastEngagedAt'],
  ] as const
  for (const [place, [query, condition]] of queries.entries())
    for (const [other, [list, at]] of lists.entries()) {
      const all = await expected(condition, list === 'engagers')
      // The usual run alternates between first and last page: where one list is read at the start, the other is at the end.
      for (const offset of rotatingShare([0, Math.max(0, all.length - 60)], place + other, 2)) {
        const { body } = await team.get(`/${list}?${query}&limit=50&offset=${offset}`)
        expect([list, query, offset, body.total, body.totalExact, body.hasMore]).toEqual([
          list,
          query,
          offset,
          Math.min(all.length, 10_000),
          all.length > 10_000 ? false : undefined,
          all.length > offset + 50,
        ])
        expect([list, query, offset, body[list].map((row: Record<string, string>) => row[at])]).toEqual([
          list,
          query,
          offset,
          all.slice(offset, offset + 50),
        ])
      }
    }
  // Without a filter, or filtered by source only, the total is exact at any size.
  for (const scope of ['', `&username=${author}`]) {
    const { body } = await team.get(`/leads?limit=1${scope}`)
    expect([body.total, body.totalExact]).toEqual([10_401, undefined])
  }
  await sql`delete from lead where team_id = ${team.id} and engagement_key like 'copy:%'`.execute(db)
  await recountLeads(db, team.id)
}, 120_000)
