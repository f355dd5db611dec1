/** A team with many leads over many sources, as lists are measured on it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { fillQuickly, type Stage } from './support.ts'

/** The team, its key, and the instant that its newest lead was stored at. */
export type ListTeam = { readonly id: string; readonly apiKey: string; readonly start: Date }

/** Values as a team meets them: a few common ones, a long tail. */
const data = {
  first: [
    'Anna',
    'Ben',
    'Carla',
    'David',
    'Elena',
    'Felix',
    'Grace',
    'Hugo',
    'Ines',
    'Jonas',
    'Karim',
    'Laura',
    'Mehmet',
    'Nadia',
    'Oscar',
    'Priya',
    'Quentin',
    'Rosa',
    'Sofia',
    'Tom',
    'Ursula',
    'Viktor',
    'Wei',
    'Xenia',
    'Yusuf',
    'Zoe',
  ],
  last: [
    'Schmidt',
    'Garcia',
    'Rossi',
    'Dubois',
    'Novak',
    'Kowalski',
    'Jensen',
    'Okafor',
    'Tanaka',
    'Singh',
    'Silva',
    'Ivanov',
    'Nguyen',
    'Haddad',
    'Murphy',
    'Andersson',
    'Keller',
    'Moreau',
    'Costa',
    'Popescu',
  ],
  title: [
    'Head of Growth',
    'Sales Manager',
    'Software Engineer',
    'Product Manager',
    'Chief Executive Officer',
    'Account Executive',
    'Marketing Director',
    'Data Scientist',
    'Founder',
    'Recruiter',
    'Customer Success Lead',
    'Finance Analyst',
  ],
  country: [
    'United States',
    'Germany',
    'France',
    'India',
    'United Kingdom',
    'Spain',
    'Brazil',
    'Netherlands',
    'Poland',
    'Canada',
    'Italy',
    'Japan',
    'Kenya',
    'Uruguay',
  ],
  industry: [
    'Software Development',
    'Financial Services',
    'Hospitals and Health Care',
    'Advertising Services',
    'Higher Education',
    'Manufacturing',
    'Robotics Engineering',
    'Wine and Spirits',
  ],
}
const one = (name: keyof typeof data, seed: string) =>
  sql.raw(
    `(array[${data[name].map((text) => `'${text}'`).join(',')}])[1 + ` +
      `(abs(hashint4(${seed})) % ${data[name].length * data[name].length})::int % (1 + abs(hashint4(${seed} + 7)) % ${data[name].length})]`,
  )

/** The columns that substrings are looked for in. */
const textColumns = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']

async function fill(stage: Stage, team: ListTeam, leads: number, sources: number): Promise<void> {
  const { bare } = stage.tools
  const { start } = team
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
        lead_rows, leads_completed)
    select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
      sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${start}, 0, 0
    from generate_series(0, ${sources - 1}::int) n`.execute(bare)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country,
      company_name, company_domain, company_industry, enrichment, webhook_status, is_icp, created_at)
    select ${team.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s.id, s.id,
      case when n % 50 = 0 then 'post' when n % 9 = 0 then 'company' when n % 7 = 0 then 'keyword' else 'profile' end,
      'ACoAA' || p, 'reaction:urn:li:activity:' || n, case when n % 6 = 0 then 'Comment' when n % 500 = 1 then 'Author'
        else 'Like' end, 'Like', 'urn:li:activity:' || n % 40000,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || n % 40000, ${start},
      ${one('first', 'p')} || ' ' || ${one('last', 'p + 3')} || ' ' || p, 'Headline ' || p,
      'https://www.linkedin.com/in/ACoAA' || p,
      ${one('title', 'p + 5')}, case when p % 20 = 0 then null else ${one('country', 'p + 11')} end,
      'Company ' || p % 19997, 'company' || p % 19997 || '.example', ${one('industry', 'p % 19997')},
      'completed', case when n % 11 = 0 then 'sent' when n % 4000 = 0 then 'failed' when n % 3 = 0 then 'pending'
        else 'no_webhook' end, case when n % 4 = 0 then true when n % 4 = 1 then false end,
      ${start}::timestamptz - ((${leads}::int - n) * 5 || ' seconds')::interval
    from generate_series(1, ${leads}::int) n
    cross join lateral (select abs(hashint4(n)) % ${Math.ceil(leads * 0.4)}::int as p) person
    cross join lateral (select ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${sources}), 12,
          '0'))::uuid as id) s`.execute(bare)
  await sql`update source s set lead_rows = c.rows, leads_completed = c.rows
    from (select source_id, count(*) as rows from lead where team_id = ${team.id} group by 1) c
    where s.team_id = ${team.id} and s.id = c.source_id`.execute(bare)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        linkedin_url, enrichment, webhook_status, created_at)
    select team_id, ('02000000-0000-7000-8000-' || right(id::text, 12))::uuid, owner_id, source_id, source_kind,
      person_urn, 'raw:' || engagement_key, engagement_type, linkedin_url, 'raw', 'no_webhook', created_at
    from lead where team_id = ${team.id} order by created_at desc limit ${Math.ceil(leads / 4)}`.execute(bare)
  await sql`update source s set raw_rows = c.rows
    from (select source_id, count(*) as rows from lead where team_id = ${team.id} and enrichment = 'raw' group by 1) c
    where s.team_id = ${team.id} and s.id = c.source_id`.execute(bare)
  for (const column of textColumns)
    await sql`insert into lead_text (team_id, field, key, folded)
      select distinct on (key) team_id, ${column}, key, folded
      from (select team_id, ${sql.id(`${column}_key`)} as key, ${sql.id(`${column}_folded`)} as folded from lead) l
      where key is not null`.execute(bare)
}

/** Fills a team; one that a kept folder holds already is taken as it is. */
export async function teamWithLists(
  stage: Stage,
  size: { readonly leads: number; readonly sources: number },
  keep: string | null,
): Promise<ListTeam> {
  const note = keep === null ? null : join(keep, `lists-${size.leads}-${size.sources}.json`)
  if (note !== null && existsSync(note)) {
    const kept = JSON.parse(readFileSync(note, 'utf8')) as { id: string; apiKey: string; start: string }
    return { ...kept, start: new Date(kept.start) }
  }
  const { id, apiKey } = await stage.team()
  const team = { id, apiKey, start: new Date() }
  await fillQuickly(stage, ['lead', 'lead_text', 'source'], () => fill(stage, team, size.leads, size.sources))
  if (note !== null) writeFileSync(note, JSON.stringify(team))
  return team
}
