/** Tables level out over a year (docs/retention.md). `npm run test:long` simulates all of it and prints the table. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amount, long } from '../world/amount.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { liveThrough, type Year } from './year.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

// The usual run keeps rows for a tenth of the days, so that a tenth of the time shows the same.
const year = amount<Year>(
  {
    teams: 10,
    days: 60,
    step: 10,
    keepDays: { 'delivery-attempts': 10, 'serving-costs': 40, 'vendor-costs': 40 },
  },
  {
    teams: Number(process.env.LES_TEST_YEAR_TEAMS ?? 1_000),
    days: Number(process.env.LES_TEST_YEAR_DAYS ?? 500),
    step: 25,
    keepDays: {},
  },
)

/** Tables that keep growing because their rows prevent a repetition, each with what is emptied or left of them. */
const growing = ['delivery', 'keyword_post', 'credit_entry', 'lead_gone']

const shown = (levels: ReadonlyMap<string, readonly { day: number; rows: number; bytes: number }[]>): string =>
  [...levels]
    .map(([table, of]) => {
      const at = (share: number) => of[Math.round((of.length - 1) * share)]!
      const perDay = (at(1).bytes - at(0.8).bytes) / (at(1).day - at(0.8).day)
      const cells = [0.2, 0.4, 0.6, 0.8, 1].map((share) => at(share).rows.toLocaleString('en'))
      return `| \`${table}\` | ${cells.join(' | ')} | ${(at(1).bytes / 1e6).toFixed(1)} | ${Math.max(0, perDay / year.teams).toFixed(0)} |`
    })
    .join('\n')

it(
  'every table that a rule empties has as many rows at the end as some months before; what stays grows by its rate alone',
  async () => {
    if (!long)
      await database.pool.query(
        `create or replace function team_days() returns trigger language plpgsql as $$ begin
           insert into team_keep
             select new.id, rule, days from unnest(
               array['delivery-bodies','jobs','runs','raw-leads','ai-verdicts','posts','people','audit','keyword-spend'],
               array[10,3,40,40,20,20,20,40,10]) as k (rule, days);
           return new; end $$; create trigger team_days after insert on team for each row execute function team_days()`,
      )
    const { levels, removed } = await liveThrough(database, year)
    if (long) process.stdout.write(`${shown(levels)}\n`)
    expect(removed).toBeGreaterThan(0)
    for (const [table, of] of levels) {
      const [before, last] = [of.at(-3)!.rows, of.at(-1)!.rows]
      if (growing.includes(table)) expect(last, table).toBeGreaterThan(before)
      else expect(last, table).toBeLessThanOrEqual(before * 1.02 + year.teams)
    }
    const { rows } = await database.pool.query<{ bodies: number; reasons: number }>(
      `select (select count(*)::int from delivery where body is not null) as bodies,
         (select count(*)::int
         from keyword_post where reason is not null) as reasons`,
    )
    const all = levels.get('delivery')!.at(-1)!.rows
    expect(rows[0]!.bodies).toBeLessThan(all / 2)
    expect(rows[0]!.reasons).toBeLessThan(all / 2)
  },
  amount(60_000, 3_600_000),
)
