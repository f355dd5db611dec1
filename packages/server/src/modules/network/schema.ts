/** The tables that the module `network` writes, as types. */
import type { Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../platform/db/columns.ts'

/** Row of `company`: shared by all teams, kept six months. */
export type CompanyTable = {
  urn: Fixed<string>
  found: boolean
  slug: string | null
  name: string | null
  linkedin_url: string | null
  website: string | null
  domain: string | null
  industry: string | null
  employee_count: number | null
  staff_range: string | null
  headquarters: string | null
  description: string | null
  founded_year: number | null
  follower_count: number | null
  specialties: Json<string[]>
  logo_url: string | null
  cover_url: string | null
  fetched_at: Date
}

/** Row of `person`. */
export type PersonTable = {
  team_id: Fixed<string>
  urn: Fixed<string>
  handle: string | null
  name: string | null
  headline: string | null
  linkedin_url: string
  avatar_url: string | null
  job_title: string | null
  country: string | null
  country_code: string | null
  company_urn: string | null
  company_name: string | null
  enriched_at: Date | null
}

/** Row of `post`. */
export type PostTable = {
  team_id: Fixed<string>
  urn: Fixed<string>
  url: string
  text: string | null
  author_kind: string
  author_urn: string | null
  author_name: string | null
  author_url: string | null
  author_headline: string | null
  posted_at: Date | null
  content_type: string | null
  total_reaction_count: number | null
  comments_count: number | null
  first_seen_at: Fixed<Date>
}

/** Row of `enrichment_task`: a person of a team whose facts are wanted. */
export type EnrichmentTaskTable = Lease & {
  team_id: Fixed<string>
  person_urn: Fixed<string>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    enrichment_task: EnrichmentTaskTable
    company: CompanyTable
    person: PersonTable
    post: PostTable
  }
}
