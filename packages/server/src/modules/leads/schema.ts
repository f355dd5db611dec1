/** The tables that the module `leads` writes, as types. */
import type { Generated } from 'kysely'
import type { Fixed } from '../../platform/db/columns.ts'

/** Row of `lead`. */
type LeadTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  source_id: Fixed<string | null>
  source_kind: Fixed<'keyword' | 'post' | 'profile' | 'company' | 'discover'>
  sync_id: Fixed<string | null>
  person_urn: Fixed<string>
  engagement_key: Fixed<string>
  engagement_type: Fixed<'Like' | 'Comment' | 'Author'>
  reaction: string | null
  is_reply: boolean
  comment_text: string | null
  comment_posted_at: Date | null
  post_urn: string | null
  post_url: string | null
  post_posted_at: Date | null
  name: string | null
  handle: string | null
  headline: string | null
  linkedin_url: string
  avatar_url: string | null
  job_title: string | null
  country: string | null
  country_code: string | null
  company_urn: string | null
  company_name: string | null
  company_domain: string | null
  company_industry: string | null
  company_enriched_at: Date | null
  enrichment: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped' | 'raw'
  skip_reason: 'source_untracked' | null
  is_icp: boolean | null
  webhook_status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  /** The generation of its source's webhook that it was captured in; null where there was none. */
  webhook_generation: Generated<number | null>
  created_at: Fixed<Date>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    lead: LeadTable
  }
}
