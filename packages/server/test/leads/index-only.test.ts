/** A page far down a list is cheap: an index is skipped without reading leads, and people are not compared pairwise. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageOfEngagers } from '../../src/modules/leads/engagers.ts'
import { conditions, type LeadFilter } from '../../src/modules/leads/list.ts'
import { openStage, type Stage } from '../delivery/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const source = await stage.makeSource('index-only')
  // Enough leads that reading them costs more than skipping them in an index.
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, is_icp, enrichment, webhook_status, created_at)
    select ${stage.teamId}, gen_random_uuid(), ${source}, ${source}, (array['profile', 'keyword'])[1 + n / 2 % 2],
      'ACoA' || n % 999, 'reaction:' || n, (array['Like', 'Comment'])[1 + n % 2], 'https://www.linkedin.com/in/' || n,
      (array[true, false, null])[1 + n % 3], case when n % 4 = 0 then 'raw' else 'completed' end, 'no_webhook',
      ${stage.state.now}::timestamptz - (n || ' seconds')::interval
    from generate_series(1, 4000) n`.execute(stage.db)
  await sql`vacuum (analyze) lead`.execute(stage.db)
})
afterAll(() => stage.close())

const everything: LeadFilter = {
  isRaw: false,
  ownerId: null,
  includeInactive: false,
  includeSyncing: false,
  hidden: ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'],
}

/** The plan nodes that read `lead` when indexes must be walked in order. */
const readsOf = (columns: string, condition: ReturnType<typeof sql>): Promise<string[]> =>
  stage.db.transaction().execute(async (tx) => {
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await sql.raw(`set local enable_${way} = off`).execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (costs off) select ${sql.raw(columns)} from lead l where ${condition}
      order by l.created_at desc, l.id desc limit 1000`.execute(tx)
    return rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => / lead(?: |$)/.test(line))
  })

it.each<[string, Partial<LeadFilter>]>([
  ['lead_listed_by_icp', { isIcp: true }],
  ['lead_listed_by_icp', { isIcp: false }],
  ['lead_listed_by_type', { engagementType: 'Like' }],
  ['lead_listed_by_kind', { sourceKind: 'keyword' }],
])('leads are skipped by %s alone [LED-01]', async (index, filter) => {
  const condition = conditions(stage.teamId, { ...everything, ...filter })
  expect(await readsOf('l.id, l.created_at', sql`${condition}`)).toEqual([
    `->  Index Only Scan using ${index} on lead l`,
  ])
})

it('raw leads of one kind of engagement are skipped by lead_raw_listed alone [RAW-01]', async () => {
  const condition = sql`l.team_id = ${stage.teamId} and l.enrichment = 'raw' and l.engagement_type = 'Like'
    and l.owner_id not in (select id from source where team_id = ${stage.teamId} and status = 'inactive')`
  expect(await readsOf('l.id, l.created_at', condition)).toEqual([
    '->  Index Only Scan using lead_raw_listed on lead l',
  ])
})

it('people of a page far down are found without comparing each with each, however PostgreSQL joins them [ENG-01]', async () => {
  const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = []
  const watched = new Kysely<never>({
    dialect: new PostgresDialect({ pool: stage.database.pool }),
    log: ({ query }) => void statements.push(query),
  })
  const page = { limit: 9, offset: 900 }
  const { rows } = await pageOfEngagers(
    watched as never,
    { teamId: stage.teamId, filter: everything, chosen: null },
    page,
  )
  expect(rows).toHaveLength(10)
  const { sql: text, parameters } = statements.find((one) => one.sql.includes('as scanned'))!
  const client = await stage.database.pool.connect()
  try {
    // With statistics older than a team's leads, PostgreSQL expects a single lead and joins like this.
    await client.query('begin; set local enable_hashjoin = off; set local enable_mergejoin = off')
    const plan = await client.query(`explain (analyze, costs off, format json) ${text}`, [...parameters])
    await client.query('rollback')
    const compared = [...JSON.stringify(plan.rows).matchAll(/"Rows Removed by Join Filter":(\d+)/g)]
    expect(compared).not.toHaveLength(0)
    // The page's people times the 3,000 listed leads.
    for (const [, pairs] of compared) expect(Number(pairs)).toBeLessThanOrEqual((page.limit + 1) * 3_000)
  } finally {
    client.release()
  }
})
