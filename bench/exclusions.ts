/**
 * Exclusions of a team with many leads and entries (EXC-13): the first page with and without entries, saving an entry, pages by
 * exclusion, erasing a person. `node bench/exclusions.ts --leads 1000000 --entries 100000`
 */
import { sql } from 'kysely'
import { fillLeads, fillQuickly, median, openStage, option, percentile } from './support.ts'

const leads = option('leads', 1_000_000)
const entries = option('entries', 100_000)

const stage = await openStage()
const origin = `${stage.service.http.address()}/api/v1`
const db = stage.tools.bare
const team = await stage.team()
await fillQuickly(stage, ['lead', 'lead_text', 'source', 'person'], async () => {
  await fillLeads(stage, team.id, leads, Math.ceil(leads / 500))
  await sql`
    insert into company (urn, found, slug, name, domain, fetched_at)
    select 'urn:li:company:' || n, true, 'company-' || n, 'Company ' || n, 'company' || n || '.example', now()
    from generate_series(0, 19996) n`.execute(db)
  await sql`
    insert into person (team_id, id, urn, handle, linkedin_url, job_title, country, company_name, company_urn, enriched_at)
    select distinct on (person_urn) team_id, gen_random_uuid(), person_urn, lower(person_urn), linkedin_url, job_title, country, company_name,
      'urn:li:company:' || substring(company_name from '[0-9]+'), now()
    from lead where team_id = ${team.id}`.execute(db)
})
await sql`vacuum analyze company`.execute(db)

async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ ms: number; body: Record<string, unknown> }> {
  const start = performance.now()
  const response = await fetch(origin + path, {
    method,
    headers: { 'x-api-key': team.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status >= 300) throw new Error(`${method} ${path}: ${text}`)
  return { ms: performance.now() - start, body: JSON.parse(text) }
}

/** Request times in milliseconds, after a warm-up. */
async function times(path: string, rounds: number): Promise<number[]> {
  const all: number[] = []
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    const { ms } = await ask('GET', path)
    if (round >= 0) all.push(ms)
  }
  return all
}

const figures = (all: readonly number[]) =>
  `p50 ${median(all).toFixed(1)} ms, p95 ${percentile(all, 0.95).toFixed(1)} ms`
console.log(`${leads} leads, ${entries} entries`)
const before = await times('/leads', 200)
const insert = (kind: string, key: ReturnType<typeof sql>, count: number) =>
  sql`
  insert into exclusion (team_id, id, kind, key, value, list, origin, created_by, created_at)
  select ${team.id}, gen_random_uuid(), ${kind}, ${key}, ${key}, 'customers', 'csv', 'bench', now()
  from generate_series(1, ${count}::int) n on conflict do nothing`.execute(db)
// One in a hundred leads is excluded; most entries match nobody.
await insert(
  'person',
  sql`case when n % 10 = 0 then 'ACoAA' || n * 7 else 'somebody-' || n end`,
  Math.round(entries * 0.6),
)
await insert('company', sql`(100000 + n)::text`, Math.round(entries * 0.2))
await insert('domain', sql`'customer' || n || '.example'`, Math.round(entries * 0.19))
await insert('title', sql`'title number ' || n`, Math.round(entries * 0.01))
await sql`analyze exclusion`.execute(db)
const after = await times('/leads', 200)
console.log(
  `first page without entries: ${figures(before)}; with: ${figures(after)}; ${(median(after) / median(before)).toFixed(2)} times`,
)

const saved = []
for (const [kind, value] of [
  ['person', 'ACoAA77'],
  ['person', 'nobody-at-all'],
  ['company', 'company-77'],
  ['domain', 'company78.example'],
  ['title', 'Recruiter'],
  ['title', 'Manager'],
  ['country', 'United States'],
  ['email', 'jane@acme.com'],
] as const) {
  const { ms, body } = await ask('POST', '/exclusions', { entries: [{ kind, value }] })
  saved.push({ kind, value, ms: Math.round(ms), matchingLeads: body.matchingLeads })
  const { body: found } = await ask('GET', `/exclusions?kind=${kind}&query=${encodeURIComponent(value)}`)
  const [entry] = found.entries as { id: string }[]
  // Remove the broad entries, so that the lists below are realistic.
  if (kind === 'title' || kind === 'country') await ask('DELETE', `/exclusions/${entry!.id}`)
}
console.table(saved)
const lists = []
for (const path of [
  '/leads?excluded=exclude',
  '/leads?excluded=only',
  '/engagers?excluded=exclude',
  '/engagers?excluded=only',
])
  lists.push({ path, ms: Math.round(median(await times(path, 5))) })
console.table(lists)
const erased = await ask('POST', '/privacy/erasures', { profileUrl: 'ACoAA78' })
console.log(`a person erased in ${Math.round(erased.ms)} ms`)
await stage.close()
