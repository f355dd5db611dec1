/** The cost of a claim (picking the team, leasing its oldest row) with 1,000 and 100,000 due rows of 1 and of 10,000 teams. */
import { sql } from 'kysely'
import { claimOne, leaseOf } from '../packages/server/src/platform/work/index.ts'
import { works } from '../packages/server/src/worker/works.ts'
import { median, openStage, option, report } from './support.ts'

type Kind = 'enrichment' | 'capture'

const claims = option('claims', 300)
const stage = await openStage()
const { service } = stage
const db = stage.tools.bare

await sql`
  insert into team (id, name, plan, status, reads_limit, writes_limit, untracked_posts_limit, keyword_daily_ceiling,
      capture_allowed, data_key, signing_secret, created_at)
  select gen_random_uuid(), 'Team', 'growth', 'active', 1, 1, 1, 1, true, '\\x00', '\\x00', now()
  from generate_series(1, 10000)`.execute(db)
const teams = sql`(select id, row_number() over (order by id) as n from team)`

/** Spreads `rows` due rows over `over` ready teams. */
async function fill(kind: Kind, rows: number, over: number): Promise<void> {
  await sql`truncate enrichment_task, sync, source, work_turn cascade`.execute(db)
  if (kind === 'enrichment')
    await sql`
      insert into enrichment_task (team_id, person_urn, due_at, created_at)
      select t.id, 'ACoAA' || i, now() - (i || ' ms')::interval, now()
      from generate_series(1, ${rows}::int) i join ${teams} t on t.n = 1 + i % ${over}::int`.execute(db)
  else
    await sql`
      with made as (
        insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
            created_at)
        select t.id, gen_random_uuid(), 'person', 'author-' || i, sha256(('author-' || i)::bytea), 'active', 'engagers',
          false, true, now()
        from generate_series(1, ${rows}::int) i join ${teams} t on t.n = 1 + i % ${over}::int returning team_id, id)
      insert into sync (team_id, id, source_id, trigger, state, settings, cursor, lane, due_at, created_at)
      select team_id, gen_random_uuid(), id, 'track', 'queued', '{}', '{"phase":"posts"}', 'capture',
        now() - (row_number() over () || ' ms')::interval, now() from made`.execute(db)
  await sql`
    insert into work_turn (team_id, kind, served) select t.id, ${kind}, t.n from ${teams} t
    where t.n <= ${Math.min(over, rows)}::int`.execute(db)
  for (const table of ['enrichment_task', 'sync', 'work_turn'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}

/** Claims one row per unit of work, as lanes do; the median of the claims alone, in milliseconds. */
async function claimMs(kind: Kind): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < claims; n++)
    await service.unitOfWork(async (tx) => {
      const start = performance.now()
      await claimOne(tx, works[kind].rows[0], leaseOf(service.ids.uuid(tx.now), Date.now()))
      times.push(performance.now() - start)
    })
  return median(times)
}

const found: { name: string; few: number; many: number }[] = []
for (const kind of ['enrichment', 'capture'] as const)
  for (const over of [1, 10_000]) {
    await fill(kind, 1_000, over)
    const few = await claimMs(kind)
    await fill(kind, 100_000, over)
    const many = await claimMs(kind)
    found.push({ name: `${kind} of ${over === 1 ? 'one team' : '10,000 teams'}`, few, many })
    console.log(`${found.at(-1)!.name}: ${few.toFixed(2)} ms with 1,000, ${many.toFixed(2)} ms with 100,000`)
  }
await stage.close()
const worst = found.toSorted((a, b) => b.many / b.few - a.many / a.few)[0]!
report({
  claims: {
    measured: `${worst.many.toFixed(2)} ms: ${worst.name}, the worst of four`,
    beside: `${worst.few.toFixed(2)} ms with 1,000`,
    value: worst.many / worst.few,
  },
})
