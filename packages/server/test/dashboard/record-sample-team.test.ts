/**
 * Records the sample team (decision 0020): with `npm run record:sample-team` a team works for a week, and its rows, which keep
 * all rules because real code wrote them, go to `packages/server/sample-team/rows.jsonl`.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sampleTeamId } from '../../src/platform/sample-team.ts'
import { put, seedTopicPost, start } from '../scenarios/agent-stage.ts'
import { discover, seedWriters } from '../scenarios/discover-stage.ts'
import { ok } from '../world/tracking.ts'
import { useWorld, type Team, type World } from '../world/world.ts'
import sample from './sample-people.json' with { type: 'json' }

const isWanted = process.env.LES_RECORD_SAMPLE_TEAM === '1'
const file = fileURLToPath(new URL('../../sample-team/rows.jsonl', import.meta.url))

/** Tables that are left out: secrets, rows of the operator or of running work, and rows that triggers write. */
const left = [
  'api_key',
  'team_credential',
  'idempotency_answer',
  'idempotency_flight',
  'rate_window',
  'work_turn',
  'task_put_off',
  'kept_answer',
  'tool_spend_answer',
  'vendor_day',
  'vendor_page',
  'engagement_ticket',
  'serving_cost',
  'retention_turn',
  'agent_ranking_due',
  'planned_send',
  'planned_send_part',
  'icp_rescore',
  'team_keep',
  'outreach_queue',
  'audit_entry',
]

const { titles, firsts, lasts, countries, comments } = sample

let people = 0
function somebody(world: World): string {
  const at = people++
  const [first, last] = [firsts[at % firsts.length]!, lasts[(at * 7 + Math.floor(at / 17)) % lasts.length]!]
  const plain = `${first} ${last}`
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '-')
  const handle = `${plain}-${at + 1}`
  world.network.seedPerson({
    handle,
    name: `${first} ${last}`,
    title: titles[(at * 3) % titles.length]!,
    country: countries[(at * 7) % countries.length]!,
    picture: null,
  })
  return handle
}

function post(
  world: World,
  author: string | { company: string },
  text: string,
  size: number,
  known: readonly string[] = [],
): string[] {
  const all = [...known, ...Array.from({ length: size }, () => somebody(world))]
  world.network.seedPost({
    author,
    text,
    reactions: all.filter((_one, at) => at % 3 !== 0).map((person) => ({ person })),
    comments: all
      .filter((_one, at) => at % 3 === 0)
      .map((person, at) => ({ person, text: comments[(at + all.length) % comments.length]! })),
  })
  return all
}

const sourceOf = async (team: Team, username: string): Promise<string> =>
  (await ok(team.get('/sources?limit=100'))).sources.find((each: { username: string }) => each.username === username).id

async function week(world: World): Promise<Team> {
  const team = await world.team({ name: 'Sample team', credits: 5_000, plan: 'growth', status: 'active' })
  const inbox = await world.inbox()
  world.network.seedSearch({ posts: [], generated: false })
  world.network.seedPerson({ handle: 'maya-lindqvist', name: 'Maya Lindqvist', title: 'Founder', picture: null })
  world.network.seedPerson({
    handle: 'jonas-weber',
    name: 'Jonas Weber',
    title: 'Advisor for sales teams',
    picture: null,
  })
  world.network.seedPerson({ handle: 'amara-okafor', name: 'Amara Okafor', title: 'Author', picture: null })
  world.network.seedCompany({
    slug: 'northwind-analytics',
    name: 'Northwind Analytics',
    logo: null,
    website: 'https://northwind.example',
  })
  let regulars = post(world, 'maya-lindqvist', 'Five things we stopped doing in outbound, and what replaced them.', 14)
  post(world, 'jonas-weber', 'Your first sales hire should not be a sales leader.', 9)
  post(
    world,
    { company: 'northwind-analytics' },
    'We looked at 40,000 demo requests. Here is what the good ones share.',
    10,
  )
  post(world, 'amara-okafor', 'A chapter on pricing, free to read this week.', 6)
  for (const username of ['maya-lindqvist', 'jonas-weber'])
    await ok(
      team.post('/enrich/profile', { username, saveTrackedProfile: true, creditCapPerSync: 100, confirmSpend: true }),
    )
  await ok(
    team.post('/enrich/company', {
      username: 'northwind-analytics',
      saveTrackedProfile: true,
      creditCapPerSync: 100,
      confirmSpend: true,
    }),
  )
  await ok(
    team.post('/enrich/profile', {
      username: 'amara-okafor',
      saveTrackedProfile: true,
      enrichLeads: false,
      creditCapPerSync: 50,
      confirmSpend: true,
    }),
  )
  const maya = await sourceOf(team, 'maya-lindqvist')
  const jonas = await sourceOf(team, 'jonas-weber')
  const company = await sourceOf(team, 'northwind-analytics')
  const rules = [
    { column: 'jobTitle', operator: 'contains', value: 'growth' },
    { column: 'jobTitle', operator: 'contains', value: 'sales' },
    { column: 'jobTitle', operator: 'contains', value: 'founder' },
  ]
  for (const id of [maya, jonas, company]) await ok(team.put(`/sources/${id}/icp`, { rules, matchMode: 'any' }))
  for (const id of [maya, company])
    await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url, syncEvents: true, sendOnlyIcp: true }))
  await world.drain()
  const topic = 'revenue operations'
  const search = (day: number, size: number) =>
    world.network.seedSearch({
      posts: [
        {
          author: somebody(world),
          text: `Notes on ${topic} from week ${day + 1}: fewer tools, clearer owners.`,
          reactions: Array.from({ length: size }, () => ({ person: somebody(world) })),
          comments: [{ person: somebody(world), text: comments[day % comments.length]! }],
        },
        { author: somebody(world), text: `Hiring for ${topic}, remote`, reactions: 2, comments: [] },
      ],
      generated: false,
    })
  search(0, 8)
  const { status, body: tracked } = await team.post('/keyword/track', {
    name: 'Revenue operations in Europe',
    expression: `"${topic}" AND NOT hiring`,
    datePosted: 'PAST_MONTH',
    captureMode: 'depth',
    creditCap: 200,
    enrichLeads: true,
    confirmSpend: true,
    contractVersion: '2026-11-01',
  })
  expect(status).toBe(201)
  await ok(team.put(`/sources/${tracked.id}/icp`, { rules, matchMode: 'any' }))
  await world.drain()
  for (let day = 1; day <= 6; day += 1) {
    await world.move('23h')
    regulars = post(
      world,
      'maya-lindqvist',
      [
        'What a good follow-up says.',
        'Ask for the no.',
        'Three questions before any demo.',
        'Why we publish our prices.',
        'The call that changed our plan.',
        'A year without cold calls.',
      ][day - 1]!,
      7,
      regulars.slice(0, 3),
    )
    if (day % 2 === 0) post(world, { company: 'northwind-analytics' }, `Benchmarks of the quarter, part ${day / 2}.`, 6)
    if (day % 3 === 0) post(world, 'jonas-weber', 'Hire for curiosity, train for product.', 6)
    search(day, 3)
    // One day the receiver is down for an hour, and failed deliveries are retried.
    inbox.answer(day === 4 ? 503 : 200)
    await world.advance('1h')
    if (day === 4) {
      await world.advance('30m')
      inbox.answer(200)
      await world.advance('30m')
    }
    if (day === 5) {
      seedWriters(world, 'sales enablement', [
        { engagements: [120, 80], country: 'DE' },
        { engagements: [40], country: 'FR' },
        { engagements: [300], country: 'PT' },
      ])
      await discover(world, team, { keywords: ['sales enablement'], countries: ['Germany', 'France', 'Portugal'] })
      const crowd = Array.from({ length: 12 }, (_one, at) => ({
        handle: somebody(world),
        ...(at % 3 === 0 ? { comment: comments[at % comments.length]! } : {}),
      }))
      seedTopicPost(world, 'Scaling demand generation without a bigger team', crowd, somebody(world))
      await put(team, {
        website: 'northwind.example',
        titles: ['Head of Growth', 'VP Sales', 'Founder'],
        countries: ['Germany', 'Portugal', 'France'],
        topics: ['demand generation'],
        dailyCredits: 60,
      })
      await ok(start(team))
      await world.drain()
    }
  }
  await ok(team.post(`/sources/${maya}/sync`, { confirmSpend: true }))
  await world.drain()
  return team
}

type Table = { readonly name: string; readonly columns: readonly string[]; readonly texts?: readonly string[] }

/** Byte columns that hold text with instants. */
const texts: Readonly<Record<string, readonly string[]>> = { delivery: ['body'] }

async function tablesOf(world: World): Promise<Table[]> {
  const { rows } = await world.database.pool.query<{ name: string; columns: string[]; needs: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind = 'r' and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'team_id') order by 1`)
  const wanted = rows.filter(({ name }) => !left.includes(name))
  const sorted: typeof wanted = []
  while (sorted.length < wanted.length) {
    const next = wanted.find(
      (table) =>
        !sorted.includes(table) &&
        table.needs.every((need) => need === 'team' || left.includes(need) || sorted.some(({ name }) => name === need)),
    )
    if (!next) throw new Error('tables that need each other')
    sorted.push(next)
  }
  return sorted
}

describe.skipIf(!isWanted)('the sample team', () => {
  // A single schema holds the rows.
  const world = useWorld({ config: { shards: 1 } })
  it('is recorded', async () => {
    const team = await week(world)
    const lines: string[] = []
    const tables: Table[] = []
    const client = await world.database.pool.connect()
    await client.query(`set timezone to 'UTC'`)
    for (const table of await tablesOf(world)) {
      const { rows } = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${table.name} t where team_id = $1 order by t`,
        [team.id],
      )
      if (rows.length === 0) continue
      const decoded = texts[table.name] ?? []
      tables.push({ name: table.name, columns: table.columns, ...(decoded.length > 0 ? { texts: decoded } : {}) })
      for (const { row } of rows)
        for (const column of decoded) row[column] = Buffer.from(String(row[column]).slice(2), 'hex').toString()
      for (const { row } of rows)
        lines.push(JSON.stringify([tables.length - 1, ...table.columns.map((column) => row[column])]))
    }
    client.release()
    const text = lines
      .join('\n')
      .replaceAll(team.id, sampleTeamId)
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://hooks.northwind.example/leads')
      .replaceAll('https://www.linkedin.com/', 'https://network.example/')
      .replaceAll(/(\\?)"https:\/\/media\.licdn\.com[^"]*"/g, 'null')
      // As the service writes instants, so that loading shifts all of them alike.
      .replaceAll(
        /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?\+00:00/g,
        (_all, at: string, part = '.000') => `${at}${`${part}000`.slice(0, 4)}Z`,
      )
    writeFileSync(file, `${JSON.stringify({ recordedTo: (await world.now()).toISOString(), tables })}\n${text}\n`)
    expect(text).not.toMatch(/127\.0\.0\.1|localhost/)
  }, 280_000)
})
