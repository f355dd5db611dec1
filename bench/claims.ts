/**
 * What a claim costs, whatever waits: people to be enriched and syncs, of one team and spread over 10,000, at 1,000, 100,000 and
 * 1,000,000 due rows. A claim is what the engine asks of the database to pick the team and lease its oldest work; beginning and
 * committing the unit of work around it is measured beside it. `--rows 1000000 --claims 300`; `--capture 0` leaves syncs out.
 */
import { sql } from 'kysely'
import { claimOne, leaseOf } from '../packages/server/src/platform/work/index.ts'
import { works } from '../packages/server/src/worker/works.ts'
import { median, openStage, option, printFigures, type Figure } from './support.ts'

const most = option('rows', 1_000_000)
const claims = option('claims', 300)
const aimMs = 3
const sizes = [1_000, 100_000, 1_000_000].filter((size) => size <= most)

const stage = await openStage()
const { service } = stage
const db = stage.tools.bare
const figures: Figure[] = []

await sql`
  insert into team (id, name, plan, status, reads_limit, writes_limit, untracked_posts_limit, keyword_daily_ceiling,
      capture_allowed, data_key, signing_secret, created_at)
  select gen_random_uuid(), 'Team', 'growth', 'active', 1, 1, 1, 1, true, '\\x00', '\\x00', ${new Date()}
  from generate_series(1, 10000)`.execute(db)
const teams = (await sql<{ id: string }>`select id from team order by id limit 10000`.execute(db)).rows.map(
  ({ id }) => id,
)
const rank = sql`(select id, row_number() over (order by id) as n from unnest(${teams}::uuid[]) as id)`

/** Due rows of a kind, spread evenly over so many teams, every team ready. */
async function fill(kind: 'enrichment' | 'capture', rows: number, over: number): Promise<void> {
  await sql`truncate enrichment_task, sync, source, work_turn cascade`.execute(db)
  if (kind === 'enrichment')
    await sql`
      insert into enrichment_task (team_id, person_urn, due_at, created_at)
      select r.id, 'ACoAA' || i, ${new Date()}::timestamptz - (i || ' ms')::interval, ${new Date()}
      from generate_series(1, ${rows}::int) i join ${rank} r on r.n = 1 + i % ${over}::int`.execute(db)
  else
    await sql`
      with made as (
        insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
            created_at)
        select r.id, gen_random_uuid(), 'person', 'author-' || i, sha256(('author-' || i)::bytea), 'active', 'engagers',
          false, true, ${new Date()}
        from generate_series(1, ${rows}::int) i join ${rank} r on r.n = 1 + i % ${over}::int returning team_id, id)
      insert into sync (team_id, id, source_id, trigger, state, settings, cursor, lane, due_at, created_at)
      select team_id, gen_random_uuid(), id, 'track', 'queued', '{}', '{"phase":"posts"}', 'capture',
        ${new Date()}::timestamptz - (row_number() over () || ' ms')::interval, ${new Date()} from made`.execute(db)
  await sql`
    insert into work_turn (team_id, kind, served) select r.id, ${kind}, nextval('work_turn_number') from ${rank} r
    where r.n <= ${Math.min(over, rows)}::int`.execute(db)
  await sql`vacuum analyze enrichment_task`.execute(db)
  await sql`vacuum analyze sync`.execute(db)
  await sql`vacuum analyze work_turn`.execute(db)
}

/** Claims one row a unit of work, as lanes do; milliseconds of the claim alone and of the whole unit. */
async function claimOften(
  kind: 'enrichment' | 'capture',
): Promise<{ claimMs: number[]; unitMs: number[]; teams: number }> {
  const [claimMs, unitMs]: [number[], number[]] = [[], []]
  const served = new Set<string>()
  for (let n = 0; n < claims; n++) {
    const began = performance.now()
    await service.unitOfWork(async (tx) => {
      const start = performance.now()
      const row = await claimOne<{ team_id: string }>(
        tx,
        works[kind].rows[0],
        leaseOf(service.ids.uuid(tx.now), Date.now()),
      )
      claimMs.push(performance.now() - start)
      if (row) served.add(row.team_id)
    })
    unitMs.push(performance.now() - began)
  }
  return { claimMs, unitMs, teams: served.size }
}

for (const kind of option('capture', 1) === 0 ? (['enrichment'] as const) : (['enrichment', 'capture'] as const))
  for (const over of [1, 10_000])
    for (const rows of sizes) {
      await fill(kind, rows, over)
      const { claimMs, unitMs, teams: served } = await claimOften(kind)
      const ms = median(claimMs)
      const worst = [...claimMs].sort((a, b) => a - b)[Math.floor(claimMs.length * 0.95)]!
      figures.push({
        name:
          `${kind}: ${rows.toLocaleString('en')} due of ${Math.min(over, rows).toLocaleString('en')} teams ` +
          `(${served} served by ${claims} claims)`,
        measured: `${ms.toFixed(2)} ms, p95 ${worst.toFixed(2)} ms`,
        limit: `${median(unitMs).toFixed(2)} ms the whole unit`,
        ratio: null,
        aim: `at most ${aimMs} ms`,
        reached: ms <= aimMs,
      })
    }

printFigures('Claims', figures)
await stage.close()
