/**
 * People enriched a second with a vendor that answers at once, at 1,000, 100,000 and, with `--people 1000000`, 1,000,000 waiting: claims,
 * look-ups, writing, judging and ending the tasks, by as many lanes as a process has. `--people 100000 --seconds 10`; `--from 1000000`
 * leaves the smaller ones out.
 */
import { sql } from 'kysely'
import { jobCatalog } from '../packages/server/src/job-catalog.ts'
import type { CompanyRecord, Network, Profile } from '../packages/server/src/providers/ports.ts'
import {
  openStage,
  option,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
  type Figure,
} from './support.ts'

const most = option('people', 100_000)
const least = option('from', 1_000)
const forMs = option('seconds', 10) * 1_000
const aim = 1_000
const companies = 997

const numberOf = (urn: string): number => Number(urn.replace(/\D/g, ''))
const profileOf = (urn: string): Profile => ({
  urn,
  handle: `person-${numberOf(urn)}`,
  name: `Person ${numberOf(urn)}`,
  headline: 'Head of Growth',
  linkedinUrl: `https://www.linkedin.com/in/person-${numberOf(urn)}`,
  avatarUrl: null,
  jobs: [],
  jobTitle: numberOf(urn) % 2 === 0 ? 'Head of Growth' : 'Plumber',
  country: 'Germany',
  countryCode: 'DE',
  company: {
    urn: `urn:li:company:${numberOf(urn) % companies}`,
    slug: null,
    name: `Company ${numberOf(urn) % companies}`,
  },
})
const companyOf = (urn: string): CompanyRecord => ({
  urn,
  slug: `company-${numberOf(urn)}`,
  name: `Company ${numberOf(urn)}`,
  linkedinUrl: `https://www.linkedin.com/company/company-${numberOf(urn)}`,
  website: `https://company${numberOf(urn)}.example`,
  industry: 'Software',
  industryId: null,
  employeeCount: 100,
  staffRange: null,
  headquarters: null,
  description: null,
  foundedYear: null,
  followerCount: null,
  specialties: [],
  logoUrl: null,
  coverUrl: null,
})
const never = (): never => {
  throw new Error('nobody asks for this here')
}
const network: Network = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  profile: async (who) => profileOf('urn' in who ? who.urn : 'ACoAA0'),
  company: async (which) => companyOf('urn' in which ? which.urn : 'urn:li:company:0'),
  resolveHandle: never,
  posts: never,
  post: never,
  reactions: never,
  comments: never,
  replies: never,
  searchPosts: never,
}

const stage = await openStage({ overrides: { network } })
const { service } = stage
const db = stage.tools.bare
const figures: Figure[] = []

for (const waiting of [1_000, 100_000, 1_000_000].filter((count) => count >= least && count <= most)) {
  const team = await stage.team()
  const sourceId = service.ids.uuid(new Date())
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
        lead_rows, leads_pending)
    values (${team.id}, ${sourceId}, 'person', ${`author-${waiting}`}, sha256(${`author-${waiting}`}::bytea), 'active',
        'engagers', true, true, ${new Date()}, ${waiting}, ${waiting})`.execute(db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, enrichment, webhook_status,
        created_at)
    select ${team.id}, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${sourceId}, ${sourceId},
      'profile', 'ACoAA' || i, 'reaction:urn:li:activity:' || i, 'Like', 'Like', 'urn:li:activity:' || i,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || i, ${new Date()}, 'Person ' || i, 'Head of Growth',
      'https://www.linkedin.com/in/ACoAA' || i, 'pending', 'no_webhook', ${new Date()}
    from generate_series(1, ${waiting}::int) i`.execute(db)
  await sql`insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${team.id}, 'ACoAA' || i, ${new Date()}, ${new Date()} from generate_series(1, ${waiting}::int) i`.execute(
    db,
  )
  await sql`insert into work_turn (team_id, kind, served) values (${team.id}, 'enrichment', 0)`.execute(db)
  for (const table of ['lead', 'enrichment_task', 'work_turn'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  // What filling the tables left to be written is not part of what enriching costs.
  await sql`checkpoint`.execute(db)
  await resetStatements(stage.tools.pool)
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (performance.now() - began < forMs && (await service.steps.enrichment()) === 'worked');
  }
  await Promise.all(Array.from({ length: jobCatalog.enrichment.concurrency }, lane))
  const took = (performance.now() - began) / 1_000
  const { rows } = await sql<{
    done: number
  }>`select count(*)::integer as done from lead where team_id = ${team.id} and enrichment = 'completed'`.execute(db)
  const rate = rows[0]!.done / took
  figures.push({
    name: `${waiting.toLocaleString('en')} people waiting: ${rows[0]!.done.toLocaleString('en')} enriched in ${took.toFixed(1)} s`,
    measured: `${Math.round(rate).toLocaleString('en')} people/s`,
    limit: '',
    ratio: null,
    aim: `at least ${aim.toLocaleString('en')}/s`,
    reached: rate >= aim,
  })
  printStatements(
    `Where the database spent its time, ${waiting.toLocaleString('en')} waiting`,
    await topStatements(stage.tools.pool, 8),
  )
  // What is left is not in the way of the next.
  await sql`delete from enrichment_task where team_id = ${team.id}`.execute(db)
}

printFigures('Enrichment', figures)
await stage.close()
