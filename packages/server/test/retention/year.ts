/**
 * A year and more of many teams: SQL inserts rows as the service would, the clock's tasks delete them, the rest is counted. The
 * rates are those of a team with one lead a day; every table grows in proportion to its rate.
 */
import { openLog } from '../../src/platform/log.ts'
import { makeUnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { machineIds, uuidFrom } from '../../src/platform/random.ts'
import { purgeTeams } from '../../src/worker/retention/teams.ts'
import { rulesBesideModules } from '../../src/composition/tasks.ts'
import { purgeUntilDone, serviceRules } from '../../src/worker/retention/rules.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { KeepDays } from '../../src/modules/accounts/index.ts'
import type { TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'

export type Year = { readonly teams: number; readonly days: number; readonly step: number; readonly keepDays: KeepDays }

/** Rows and bytes of a table, including indexes, on a day. */
export type Level = { readonly day: number; readonly rows: number; readonly bytes: number }

const start = new Date('2026-01-01T00:00:00Z')
const dayMs = 86_400_000

/** An id that starts with an instant, as the service's do. */
const idAt = (at: string, salt: string) => {
  const hex = `lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')`
  const random = `md5(${salt})`
  return `(substr(${hex}, 1, 8) || '-' || substr(${hex}, 9, 4) || '-7' || substr(${random}, 1, 3)
    || '-8' || substr(${random}, 4, 3) || '-' || substr(${random}, 7, 12))::uuid`
}

const id = (salt: string) => idAt('d.at', `d.at::text || t.id || n || '${salt}'`)

/** The rows a team adds to a table per day; `values` refers to the team `t`, the instant `d.at` and the number `n`. */
type Made = {
  readonly perDay: number
  readonly columns: string
  readonly values: string
  /** An existing row stays. */
  readonly orNothing?: true
}

const made: Readonly<Record<string, Made>> = {
  job: {
    perDay: 1,
    columns: 'team_id, id, type, status, payload, result, due_at, created_at, finished_at',
    values: `t.id, ${id('job')}, 'enrich_profile', 'completed', '{"username":"somebody"}',
      jsonb_build_object('lead', repeat('x', 700)), d.at, d.at, d.at`,
  },
  delivery: {
    perDay: 1,
    columns: 'team_id, id, owner_id, event, subject, state, body, due_at, created_at, finished_at',
    values: `t.id, ${id('del')}, t.id, 'sync.completed', ${id('del')}::text, 'sent',
      convert_to(repeat('y', 1200), 'UTF8'), d.at, d.at, d.at`,
  },
  delivery_attempt: {
    perDay: 1,
    columns: 'team_id, delivery_id, number, at, status, outcome, elapsed_ms, response',
    values: `t.id, ${id('del')}, 1, d.at, 200, 'delivered', 40, 'ok'`,
  },
  sync: {
    perDay: 1,
    columns: 'team_id, id, source_id, trigger, state, settings, cursor, due_at, created_at, started_at, finished_at',
    values: `t.id, ${id('run')}, t.id, 'scheduled', 'captured', '{"mode":"engagers"}', '{"phase":"engagement"}', d.at,
      d.at, d.at, d.at`,
  },
  audit_entry: {
    perDay: 1,
    columns: 'team_id, id, at, actor_kind, actor_id, actor_name, operation, details',
    values: `t.id, ${id('aud')}, d.at, 'key', 'k', '', 'trackProfile', '{"username":"somebody"}'`,
  },
  post: {
    perDay: 1,
    columns: 'team_id, urn, url, text, author_kind, first_seen_at',
    values: `t.id, 'urn:li:activity:' || ${id('post')}, 'https://www.linkedin.com/feed/update/x', repeat('text ', 120),
      'person', d.at`,
    orNothing: true,
  },
  keyword_post: {
    perDay: 1,
    columns: 'team_id, source_id, post_urn, sync_id, position, awaits_ai, outcome, reason, decided_at',
    values: `t.id, t.id, 'urn:li:activity:' || ${id('post')}, t.id, 1, false, 'discarded', repeat('because ', 12), d.at`,
    orNothing: true,
  },
  lead: {
    perDay: 1,
    columns: `team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url,
      name, enrichment, webhook_status, created_at`,
    values: `t.id, ${id('raw')}, t.id, t.id, 'profile', 'ACoA' || md5(${id('raw')}::text), 'reaction:x:' || ${id('raw')},
      'Like', 'https://www.linkedin.com/in/somebody', 'Some Body', 'raw', 'no_webhook', d.at`,
  },
  person: {
    perDay: 1,
    columns: 'team_id, id, urn, name, headline, linkedin_url',
    values: `t.id, ${id('per')}, 'ACoA' || md5(${id('raw')}::text), 'Some Body', 'Somebody somewhere',
      'https://www.linkedin.com/in/somebody'`,
    orNothing: true,
  },
  credit_entry: {
    perDay: 1,
    columns: 'team_id, id, account, key, kind, amount, category, source_id, created_at',
    values: `t.id, ${id('cre')}, 'team', 'source:' || t.id || ':person:' || md5(${id('raw')}::text), 'charge', -1,
      'source', t.id, d.at`,
  },
  keyword_spend: {
    perDay: 1,
    columns: 'team_id, day, credits',
    values: 't.id, d.at::date, 1',
    orNothing: true,
  },
  serving_cost: {
    perDay: 1,
    columns: 'team_id, day, vendor, source_id, calls, micro_dollars',
    values: `t.id, d.at::date, 'harvestapi', t.id, 3, 12000`,
    orNothing: true,
  },
  idempotency_answer: {
    perDay: 1,
    columns: 'team_id, scope, body_hash, status, sealed, expires_at',
    values: `t.id, sha256(${id('ide')}::text::bytea), '\\x00', 200, convert_to(repeat('z', 300), 'UTF8'),
      d.at + interval '1 day'`,
  },
}

const statement = (table: string, { perDay, columns, values, orNothing }: Made): string =>
  `insert into ${table} (${columns})
   select ${values}
   from team t,
     generate_series($1::timestamptz, $2::timestamptz - interval '1 second', interval '1 day' / ${perDay}) as d(at),
     lateral (select 1 as n) one
   ${orNothing ? 'on conflict do nothing' : ''}`

/** Further tables to count: what retention leaves behind. */
const alsoCounted = ['lead_gone', 'retention_turn']

/** Simulates the year; returns the levels of every table and how many rows were removed. */
export async function liveThrough(
  database: TestDatabase,
  year: Year,
): Promise<{ readonly levels: ReadonlyMap<string, readonly Level[]>; readonly removed: number }> {
  const { pool, bare, root } = database
  let now = start
  const unitOfWork = makeUnitOfWork({
    db: bare,
    ids: machineIds(),
    serviceNow: async () => now,
    wake: () => {},
    onEffectError: () => {},
  })
  const teams = Array.from({ length: year.teams }, (_, index) =>
    uuidFrom(start.getTime() + index, new Uint8Array(10).fill(index % 251)),
  )
  await insertTeams(bare, teams, start)
  await pool.query(
    `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
       created_at)
     select id, id, 'keyword', 'x', '', 'active', 'engagers', false, false, $1
     from team`,
    [start],
  )
  await pool.query(
    `insert into keyword_search (team_id, source_id, terms, sort, date_posted, filters, credit_cap, capture_engagers,
       capture_post_authors, capture_mode, saved_at)
     select id, id, '[]', 'RELEVANCE', 'PAST_WEEK', '{}', 1, true, true, 'depth', $1
     from team`,
    [start],
  )
  const deps = {
    db: root,
    unitOfWork,
    serviceNow: async () => now,
    log: openLog('silent'),
    faultPoint: async () => {},
    keepDays: year.keepDays,
  }
  const levels = new Map<string, Level[]>()
  let removed = 0
  for (let day = 0; day < year.days; day += year.step) {
    const until = new Date(start.getTime() + (day + year.step) * dayMs)
    for (const [table, rows] of Object.entries(made)) await pool.query(statement(table, rows), [now, until])
    // The counters that the service keeps while storing.
    await pool.query(
      `update source s set raw_rows = c.raw_rows
       from (select team_id, owner_id, count(*) as raw_rows from lead group by 1, 2) c
       where c.team_id = s.team_id and c.owner_id = s.id`,
    )
    now = until
    for (;;) {
      const gone = await purgeTeams(deps)
      removed += gone
      const late = await pool.query<{ due: number }>(
        `select count(*)::int as due
         from team t
         left join retention_turn r on r.team_id = t.id
         where coalesce(r.checked_at, t.created_at) <= $1`,
        [new Date(now.getTime() - 20 * 3_600_000)],
      )
      if (late.rows[0]!.due === 0) break
    }
    for (const [name, rule] of Object.entries({ ...serviceRules, ...rulesBesideModules }))
      for (;;) {
        const gone = await purgeUntilDone({ ...deps, system: systemClock }, name, rule)
        removed += gone
        if (gone === 0) break
      }
    // As autovacuum does; without it deleted rows free no space.
    await pool.query(`vacuum ${[...Object.keys(made), ...alsoCounted].join(', ')}`)
    for (const table of [...Object.keys(made), ...alsoCounted]) {
      const { rows } = await pool.query<Omit<Level, 'day'>>(
        `select (select count(*)::int from ${table}) as rows, pg_total_relation_size('${table}')::float8 as bytes`,
      )
      levels.set(table, [...(levels.get(table) ?? []), { day: day + year.step, ...rows[0]! }])
    }
  }
  return { levels, removed }
}
