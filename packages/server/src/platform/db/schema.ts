/** The tables as types: only what queries made with the builder touch; set-based SQL names its own row types. */
import type { FilterRow } from '@les/contract'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
/** A column that never changes after the row was made. */
type Fixed<T> = ColumnType<T, T, never>
type Lease = {
  lease_owner: Generated<string | null>
  lease_until_ms: Generated<number | null>
  fence: Generated<number>
}

/** Row of `team`. */
export type TeamTable = {
  id: Fixed<string>
  name: string
  plan: string
  status: 'active' | 'trial' | 'expired'
  trial_ends_at: Date | null
  reads_limit: number
  writes_limit: number
  untracked_posts_limit: number
  keyword_daily_ceiling: number
  lead_cap: number | null
  capture_allowed: boolean
  source_cap: Generated<number>
  vendor_calls_per_day: number | null
  data_key: Buffer
  signing_secret: Buffer
  previous_signing_secret: Buffer | null
  previous_secret_until: Date | null
  created_at: Fixed<Date>
}

/** Row of `api_key`. */
export type ApiKeyTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  name: string
  hash: Fixed<Buffer>
  masked: string
  created_at: Fixed<Date>
  last_used_at: Date | null
  revoked_at: Date | null
}

/** Row of `team_credential`. */
export type TeamCredentialTable = { team_id: Fixed<string>; kind: Fixed<string>; sealed: Buffer; stored_at: Date }

/** Row of `rate_window`. */
export type RateWindowTable = { team_id: string; bucket: string; opened_at: Date; used: number; refused: boolean }

/** Row of `vendor_day`. */
export type VendorDayTable = { team_id: string; day: string; calls: number }

/** Row of `idempotency_answer`. */
export type IdempotencyAnswerTable = {
  team_id: string
  scope: Buffer
  body_hash: Buffer
  status: number
  sealed: Buffer
  expires_at: Date
}

/** Row of `idempotency_flight`. */
export type IdempotencyFlightTable = { team_id: string; scope: Buffer; owner: string; until_ms: number }

/** Row of `credit_account`. */
export type CreditAccountTable = {
  team_id: Fixed<string>
  account: Fixed<'team' | 'agent_trial'>
  granted: number
  spent: number
  held: number
  allowance: number
  period_used: number
  anchor_at: Date
  period_start: Date
  period_end: Date | null
}

/** Row of `credit_day`: what was charged on a UTC day; kept by a trigger on `credit_entry`. */
export type CreditDayTable = {
  team_id: Fixed<string>
  day: Fixed<string>
  subject: Fixed<string>
  category: Fixed<string>
  credits: Fixed<number>
  charges: Fixed<number>
}

/** Row of `credit_entry`; append-only. */
export type CreditEntryTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  account: Fixed<string>
  key: Fixed<string>
  kind: Fixed<'grant' | 'topup' | 'lapse' | 'adjust' | 'charge'>
  amount: Fixed<number>
  category: Fixed<string | null>
  source_id: Fixed<string | null>
  sync_id: Fixed<string | null>
  created_at: Fixed<Date>
}

/** Row of `job`. */
export type JobTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<
    | 'enrich_profile'
    | 'enrich_company'
    | 'profile_posts'
    | 'company_posts'
    | 'post_reactions'
    | 'post_comments'
    | 'post_company_comments'
  >
  status: 'pending' | 'running' | 'completed' | 'failed'
  payload: Json<Record<string, unknown>>
  result: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
  error: ColumnType<{ status: number; error: string; code?: string } | null, string | null | undefined, string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  finished_at: Date | null
  unexpected_failures: Generated<number>
}

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

/** Row of `source`. */
export type SourceTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<'person' | 'company' | 'post' | 'keyword'>
  username: Fixed<string>
  identity: Fixed<Buffer>
  status: 'active' | 'inactive'
  mode: 'engagers' | 'posts_only'
  posts_per_sync: number | null
  credit_cap_per_sync: number | null
  capture_replies: boolean
  enrich_leads: boolean
  first_sync_posts: number | null
  first_sync_days: number | null
  network_urn: Generated<string | null>
  next_sync_at: Date | null
  last_scheduled_at: Generated<Date | null>
  open_sync_id: Generated<string | null>
  last_sync_id: Generated<string | null>
  ever_completed: Generated<boolean>
  revived: Generated<boolean>
  lead_rows: Generated<number>
  raw_rows: Generated<number>
  leads_pending: Generated<number>
  leads_completed: Generated<number>
  leads_failed: Generated<number>
  leads_skipped: Generated<number>
  created_at: Fixed<Date>
  untracked_at: Generated<Date | null>
  post_url: Generated<string | null>
  runs_completed: Generated<number>
  max_runs: Generated<number | null>
  end_at: Generated<Date | null>
  run_once: Generated<boolean>
  stopped_at: Generated<Date | null>
  stopped_reason: Generated<'max_runs' | 'run_once' | 'end_at' | null>
  pays_from: Generated<'team' | 'agent_trial'>
}

/** Row of `keyword_search`: what a keyword source looks for. */
export type KeywordSearchTable = {
  team_id: Fixed<string>
  source_id: Fixed<string>
  name: string | null
  terms: Json<readonly string[]>
  expression: Fixed<string | null>
  sort: 'RELEVANCE' | 'DATE_POSTED'
  date_posted: 'PAST_24_HOURS' | 'PAST_WEEK' | 'PAST_MONTH'
  content_type: string | null
  filters: Json<Readonly<Record<string, readonly string[]>>>
  ai_provider: 'openai' | 'anthropic' | 'google' | 'mistral' | null
  ai_model: string | null
  ai_prompt: string | null
  credit_cap: number
  capture_engagers: boolean
  capture_post_authors: boolean
  capture_mode: 'depth' | 'breadth'
  max_engagements_per_post: number | null
  saved_at: Date
}

/** Row of `write_off`: an untracked source whose waiting leads are still being written off. */
export type WriteOffTable = { team_id: Fixed<string>; source_id: Fixed<string> }

/** Row of `source_alias`: another URN of a tracked post. */
export type SourceAliasTable = { team_id: Fixed<string>; urn: Fixed<string>; source_id: string }

/** Row of `source_report`: a source whose stored name no request can name (G146). */
export type SourceReportTable = {
  team_id: Fixed<string>
  source_id: Fixed<string>
  reason: Fixed<'double' | 'no_handle' | 'lower_case_id'>
  plain_name: Fixed<string>
  other_id: Fixed<string | null>
}

/** Why what an open run needs is held: the network, or the AI vendor of the team. */
export type WaitsFor = 'away' | 'key' | 'money' | 'rate' | 'cap' | 'ai_away' | 'ai_rate' | 'ai_cap'

/** Row of `sync`: one run of a source. */
export type SyncTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  source_id: Fixed<string>
  trigger: Fixed<'track' | 'scheduled' | 'manual'>
  state: 'queued' | 'capturing' | 'captured' | 'failed' | 'untracked'
  settings: Json<Record<string, unknown>>
  cursor: Json<Record<string, unknown>>
  posts_total: Generated<number>
  posts_processed: Generated<number>
  lead_rows: Generated<number>
  credits_spent: Generated<number>
  engagers_seen: Generated<number>
  declared: Generated<number>
  held_rows: Generated<number>
  posts_fetched: Generated<number>
  provider_limited: Generated<boolean>
  stopped_by: Generated<string | null>
  error_code: Generated<string | null>
  error_text: Generated<string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  started_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  lane: Generated<'keyword' | 'capture'>
  posts_scanned: Generated<number>
  posts_kept: Generated<number>
  discarded_by_expression: Generated<number>
  authors_captured: Generated<number>
  company_authors: Generated<number>
  page_limited: Generated<boolean>
  price_limited: Generated<boolean>
  waits_for: Generated<WaitsFor | null>
  unapplied: ColumnType<string[], string | undefined, string>
  unexpected_failures: Generated<number>
}

/** Row of `sync_post`: how far a run has come with one post. */
export type SyncPostTable = {
  team_id: Fixed<string>
  sync_id: Fixed<string>
  position: Fixed<number>
  post_urn: Fixed<string>
  post_url: Fixed<string>
  author_urn: Fixed<string | null>
  posted_at: Fixed<Date | null>
  declared: Fixed<number>
  phase: 'author' | 'reactions' | 'comments' | 'replies' | 'done'
  provider: string | null
  cursor: ColumnType<Record<string, string | number | boolean | null> | null, string | null, string | null>
  replies: ColumnType<
    { commentId: string; cursor: Record<string, string | number | boolean | null> }[],
    string | undefined,
    string
  >
  reactions_declared: Fixed<number | null>
  comments_declared: Fixed<number | null>
  reactions_seen: Generated<number>
  turns: Generated<number>
  seen: Generated<number>
  rows_taken: Generated<number>
  page_rest: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
}

/** Row of `source_post`: a post a posts-only watch has found. */
export type SourcePostTable = {
  team_id: string
  source_id: string
  post_urn: string
  sync_id: string
  created_at: Date
}

/** Row of `keyword_post`: a post that a keyword search has seen. */
export type KeywordPostTable = {
  team_id: string
  source_id: string
  post_urn: string
  sync_id: string
  position: number
  awaits_ai: boolean
  outcome: 'kept' | 'discarded' | null
  reason: string | null
  filter: Buffer | null
  decided_at: Date | null
}

/** Row of `keyword_spend`: what a team's keyword searches have spent on a day. */
export type KeywordSpendTable = { team_id: string; day: string; credits: number }

/** Row of `task_put_off`. */
export type TaskPutOffTable = { team_id: string; task: string; failures: number; until: Date }

/** Row of `work_turn`. */
export type WorkTurnTable = {
  team_id: string
  kind: string
  served: number
  ready: Generated<boolean>
  due_at: Date | null
  look_ms: number | null
}

/** Row of `lead`. */
export type LeadTable = {
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
  skip_reason: string | null
  is_icp: boolean | null
  webhook_status: 'pending' | 'sent' | 'failed' | 'no_webhook'
  created_at: Fixed<Date>
}

/** Row of `engager`: the newest lead of a person, raw ones left out; kept by triggers on `lead`. */
export type EngagerTable = {
  team_id: Fixed<string>
  person_urn: Fixed<string>
  lead_id: Fixed<string>
  owner_id: Fixed<string>
  at: Fixed<Date>
}

/** Row of `lead_count`: how many leads an owner has, those that lists show and raw ones. */
export type LeadCountTable = { team_id: Fixed<string>; owner_id: Fixed<string>; lead_rows: number; raw_rows: number }

/** Row of `icp`: the criteria of an owner. */
export type IcpTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  rules: Json<FilterRow[]>
  match_mode: 'all' | 'any'
  version: number
  saved_at: Date
}

/** Row of `icp_rescore`: how far an owner's leads are judged by the newest version of its criteria. */
export type IcpRescoreTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  version: number
  cursor_at: Date | null
  cursor_id: string | null
  judged: number
  done: boolean
  lease_owner: Generated<string | null>
  lease_until_ms: number | null
  fence: Generated<number>
  started_at: Date
  due_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

/** Row of `agent_ranking`: how far the people of an agent are judged by what it looks for now. */
export type AgentRankingTable = {
  team_id: Fixed<string>
  agent_id: Fixed<string>
  judged_by: string | null
  wanted_by: string | null
  rules: string | null
  round: Generated<number>
  cursor_urn: string | null
  judged: Generated<number>
  asked: Generated<boolean>
  asked_at: Date
  due_at: Generated<Date | null>
  lease_owner: Generated<string | null>
  lease_until_ms: number | null
  fence: Generated<number>
  unexpected_failures: Generated<number>
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

/** Row of `webhook`. */
export type WebhookTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  owner_kind: Fixed<'source' | 'agent'>
  url: string | null
  icp_only: boolean
  auto_send: boolean
  auto_send_since: Generated<Date | null>
  sync_events: boolean
  url_set_at: Date | null
  failing_since: Generated<Date | null>
  disabled_at: Generated<Date | null>
  disabled_reason: Generated<string | null>
  agent_id: Generated<string | null>
  filters: Json<FilterRow<string>[]>
}

/** Row of `delivery`. */
export type DeliveryTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  event: Fixed<string>
  subject: Fixed<string>
  lead_id: Fixed<string | null>
  state: 'pending' | 'sending' | 'sent' | 'failed' | 'held' | 'cancelled'
  /** Null until it is serialised: once, for good. */
  body: Buffer | null
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  finished_at: Generated<Date | null>
  awaits_enrichment: Generated<boolean>
  icp_only: Generated<boolean>
  unexpected_failures: Generated<number>
}

/** Row of `push`: leads that were asked to go. */
export type PushTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  icp_only: Fixed<boolean>
  considered: Fixed<number>
  queued: number
  created_at: Fixed<Date>
  queueing: Generated<boolean>
  looked: Generated<number>
  cursor_at: Generated<Date | null>
  cursor_id: Generated<string | null>
  lease_owner: Generated<string | null>
  lease_until_ms: Generated<number | null>
  fence: Generated<number>
  due_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

/** Row of `tool_spend_answer`: a question of an agent tool that was answered with yes. */
export type ToolSpendAnswerTable = { team_id: Fixed<string>; question_id: Fixed<string>; expires_at: Fixed<Date> }

/** Row of `push_lead`: a delivery of a push. */
export type PushLeadTable = { team_id: string; push_id: string; delivery_id: string }

/** Row of `delivery_attempt`. */
export type DeliveryAttemptTable = {
  team_id: string
  delivery_id: string
  number: number
  at: Date
  status: number | null
  outcome: string
  elapsed_ms: number
  response: string | null
}

/** Row of `credit_hold`: credits set aside for a read under way. */
export type CreditHoldTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  account: Fixed<'team' | 'agent_trial'>
  amount: Fixed<number>
  expires_at: Fixed<Date>
}

/** Row of `agent`: a profile, and what its last start set up. */
export type AgentTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  status: 'draft' | 'active'
  website: string | null
  profile: Json<unknown>
  daily_credits: number | null
  plan: Json<unknown> | null
  launch: Generated<number>
  launched_at: Date | null
  discover_run: string | null
  people_added: Generated<boolean>
  pending: Json<unknown> | null
  webhook_url: string | null
  webhook_auto_send: Generated<boolean>
  webhook_filters: Json<FilterRow<string>[]>
  webhook_since: Date | null
  created_at: Fixed<Date>
  unexpected_failures: Generated<number>
  follow_due_at: Generated<Date | null>
}

/** Row of `agent_source`: a source that an agent has made, or taken as it was. */
export type AgentSourceTable = {
  team_id: Fixed<string>
  agent_id: Fixed<string>
  source_id: Fixed<string>
  made: boolean
  topic: string | null
  launch: number
  stopped_at: Date | null
  added_at: Fixed<Date>
}

/** Row of `discover_run`: a search for people. */
export type DiscoverRunTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  agent_id: Fixed<string | null>
  state: 'running' | 'done' | 'failed'
  phase: 'search' | 'check' | 'add' | 'over'
  keywords: Json<readonly string[]>
  countries: Json<readonly string[]>
  min_engagement: Fixed<number>
  max_influencers: Fixed<number>
  places: Json<readonly Record<string, unknown>[]>
  found: Generated<number>
  qualified: Generated<number>
  country_checked: Generated<number>
  country_matched: Generated<number>
  error_code: Generated<string | null>
  error_text: Generated<string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  started_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  deleted_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

/** Row of `audit_entry`; append-only. */
export type AuditEntryTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  at: Fixed<Date>
  actor_kind: Fixed<'user' | 'key' | 'operator'>
  actor_id: Fixed<string>
  actor_name: Fixed<string>
  operation: Fixed<string>
  target: Fixed<string | null>
  details: ColumnType<Record<string, unknown>, string, never>
}

/** Row of `saved_view`: a list as somebody keeps it, for the whole team. */
export type SavedViewTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  page: Fixed<string>
  name: string
  query: Json<Record<string, unknown>>
  created_by: Fixed<string>
  created_at: Fixed<Date>
  updated_at: Date
}

/** All tables. */
export type Database = {
  team: TeamTable
  api_key: ApiKeyTable
  team_credential: TeamCredentialTable
  rate_window: RateWindowTable
  vendor_day: VendorDayTable
  idempotency_answer: IdempotencyAnswerTable
  idempotency_flight: IdempotencyFlightTable
  credit_account: CreditAccountTable
  credit_entry: CreditEntryTable
  credit_day: CreditDayTable
  credit_hold: CreditHoldTable
  job: JobTable
  company: CompanyTable
  person: PersonTable
  post: PostTable
  source: SourceTable
  source_alias: SourceAliasTable
  source_report: SourceReportTable
  keyword_search: KeywordSearchTable
  write_off: WriteOffTable
  sync: SyncTable
  sync_post: SyncPostTable
  source_post: SourcePostTable
  keyword_post: KeywordPostTable
  keyword_spend: KeywordSpendTable
  work_turn: WorkTurnTable
  task_put_off: TaskPutOffTable
  lead: LeadTable
  engager: EngagerTable
  lead_count: LeadCountTable
  enrichment_task: EnrichmentTaskTable
  webhook: WebhookTable
  delivery: DeliveryTable
  delivery_attempt: DeliveryAttemptTable
  push: PushTable
  tool_spend_answer: ToolSpendAnswerTable
  push_lead: PushLeadTable
  agent: AgentTable
  agent_source: AgentSourceTable
  icp: IcpTable
  icp_rescore: IcpRescoreTable
  agent_ranking: AgentRankingTable
  discover_run: DiscoverRunTable
  audit_entry: AuditEntryTable
  saved_view: SavedViewTable
  service_clock: { only_row: boolean; now: Date }
  armed_fault: { name: string; times: number; action: 'fail' | 'crash' }
}
