/** People enriched per second by a warm process with all its lanes, an instant vendor, and 100,000 waiting. */
import { sql } from 'kysely'
import { jobCatalog } from '../packages/server/src/job-catalog.ts'
import type { CompanyRecord, Network, Profile } from '../packages/server/src/providers/ports.ts'
import { addSource, notAsked, openStage, option, printStatements, report, resetStatements } from './support.ts'

const people = option('people', 100_000)
const forMs = option('seconds', 10) * 1_000
const companies = 997
const numberOf = (urn: string): number => Number(urn.replace(/\D/g, ''))

const profileOf = (nth: number): Profile => ({
  urn: `ACoAA${nth}`,
  handle: `person-${nth}`,
  name: `Person ${nth}`,
  headline: 'Head of Growth',
  linkedinUrl: `https://www.linkedin.com/in/person-${nth}`,
  avatarUrl: null,
  jobs: [],
  jobTitle: nth % 2 === 0 ? 'Head of Growth' : 'Plumber',
  country: 'Germany',
  countryCode: 'DE',
  company: { urn: `urn:li:company:${nth % companies}`, slug: null, name: `Company ${nth % companies}` },
})

const companyOf = (nth: number): CompanyRecord => ({
  urn: `urn:li:company:${nth}`,
  slug: `company-${nth}`,
  name: `Company ${nth}`,
  linkedinUrl: `https://www.linkedin.com/company/company-${nth}`,
  website: `https://company${nth}.example`,
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

const network: Network = {
  ...notAsked,
  profile: async (who) => profileOf('urn' in who ? numberOf(who.urn) : 0),
  company: async (which) => companyOf('urn' in which ? numberOf(which.urn) : 0),
}

const stage = await openStage({ overrides: { network } })
const { service } = stage
const db = stage.tools.bare

/** People per second. */
async function enrich(waiting: number): Promise<number> {
  const { id: teamId } = await stage.team()
  const sourceId = await addSource(stage, teamId, `author-${waiting}`)
  await sql`update source set lead_rows = ${waiting}, leads_pending = ${waiting} where id = ${sourceId}`.execute(db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, enrichment, webhook_status,
        created_at)
    select ${teamId}, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${sourceId}, ${sourceId},
      'profile', 'ACoAA' || i, 'reaction:urn:li:activity:' || i, 'Like', 'Like', 'urn:li:activity:' || i,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || i, now(), 'Person ' || i, 'Head of Growth',
      'https://www.linkedin.com/in/ACoAA' || i, 'pending', 'no_webhook', now()
    from generate_series(1, ${waiting}::int) i`.execute(db)
  await sql`
    insert into enrichment_task (team_id, person_urn, due_at, created_at)
    select ${teamId}, 'ACoAA' || i, now(), now() from generate_series(1, ${waiting}::int) i`.execute(db)
  await sql`insert into work_turn (team_id, kind, served) values (${teamId}, 'enrichment', 0)`.execute(db)
  for (const table of ['lead', 'enrichment_task', 'work_turn'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  // Writing out what filling the tables left is not part of the cost.
  await sql`checkpoint`.execute(db)
  await resetStatements(stage)
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (performance.now() - began < forMs && (await service.steps.enrichment()) === 'worked');
  }
  await Promise.all(Array.from({ length: jobCatalog.enrichment.concurrency }, lane))
  const took = (performance.now() - began) / 1_000
  const { rows } = await sql<{ done: number }>`
    select count(*)::integer as done from lead where team_id = ${teamId} and enrichment = 'completed'`.execute(db)
  return rows[0]!.done / took
}

await enrich(1_000)
const rate = await enrich(people)
await printStatements(stage)
await stage.close()
report({ enrichment: { measured: `${Math.round(rate)} people/s, ${people} waiting`, beside: '', value: rate } })
