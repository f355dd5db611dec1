/** Indexes of large tables that are made beside the service (`platform/db/indexes.ts`), not by a migration. */

/** One: its table, what follows `create index NAME on TABLE`, and the indexes that go once this one is there. */
export interface LargeIndexDefinition {
  readonly table: string
  readonly on: string
  /**
   * Whatever is read by them must be as quick by the new one: the program before goes on meanwhile. One that took the place of another
   * itself names that too: a release may be left out.
   */
  readonly replaces?: readonly string[]
}

const newest = 'created_at desc, id desc'

const listedByText = <C extends string>(column: C) => ({
  table: 'lead',
  on: `(team_id, ${column}_key, ${newest}, owner_id, person_urn) where enrichment <> 'raw' and ${column}_key is not null`,
  replaces: [`lead_by_${column}`],
})

/** Every such index by its name. */
export const largeIndexes = {
  delivery_body_age: {
    table: 'delivery',
    on: '(team_id, finished_at) where body is not null and finished_at is not null',
  },
  // Pushes from before counts were kept with them (docs/decisions/0097): few, and none once the clock has come by.
  push_uncounted: { table: 'push', on: '(team_id, id) where not counted' },
  keyword_post_reason_age: { table: 'keyword_post', on: '(team_id, decided_at) where reason is not null' },
  // Old posts that no lead names (docs/retention.md); with a million leads 0.5 s for 1,000 posts without it, 8 ms with it.
  lead_of_post: { table: 'lead', on: '(team_id, post_urn) where post_urn is not null' },
  // Lists of leads in their order, and people among the leads of a filter, far down: each names what a list is told apart by, so that
  // no lead is read for those who stand before a page (docs/benchmarks.md: from 100,000 of 1,000,000 in 0.2 s instead of 0.7 to 6.5).
  // What it names stands at the end of the key and not in `include`: only then does PostgreSQL keep versions of a row together, and
  // updates make such an index twice as large and not five times (docs/decisions/0094).
  lead_listed: {
    table: 'lead',
    on: `(team_id, ${newest}, owner_id) where enrichment <> 'raw'`,
    replaces: ['lead_newest_listed'],
  },
  lead_listed_of_person: {
    table: 'lead',
    on: `(team_id, person_urn, ${newest}, owner_id) where enrichment <> 'raw'`,
    replaces: ['lead_newest_of_person'],
  },
  lead_listed_by_webhook: {
    table: 'lead',
    on: `(team_id, webhook_status, ${newest}, owner_id) where enrichment <> 'raw'`,
    replaces: ['lead_by_webhook'],
  },
  lead_listed_by_icp: {
    table: 'lead',
    on: `(team_id, is_icp, ${newest}, owner_id, person_urn) where enrichment <> 'raw' and is_icp is not null`,
    replaces: ['lead_people_by_icp', 'lead_by_icp'],
  },
  lead_listed_by_kind: {
    table: 'lead',
    on: `(team_id, source_kind, ${newest}, owner_id, person_urn) where enrichment <> 'raw'`,
    replaces: ['lead_people_by_kind', 'lead_by_kind'],
  },
  lead_listed_by_type: {
    table: 'lead',
    on: `(team_id, engagement_type, ${newest}, owner_id, person_urn) where enrichment <> 'raw'`,
    replaces: ['lead_people_by_type', 'lead_by_type'],
  },
  lead_listed_by_name: listedByText('name'),
  lead_listed_by_job_title: listedByText('job_title'),
  lead_listed_by_company_name: listedByText('company_name'),
  lead_listed_by_company_domain: listedByText('company_domain'),
  lead_listed_by_country: listedByText('country'),
  lead_listed_by_company_industry: listedByText('company_industry'),
  // Raw leads of one kind of engagement, far down.
  lead_raw_listed: {
    table: 'lead',
    on: `(team_id, ${newest}) include (owner_id, engagement_type) where enrichment = 'raw'`,
    replaces: ['lead_raw_newest'],
  },
  // Leases of an endpoint in the order of their fences: a claim that knows the oldest passes by none that is over (docs/decisions/0111).
  // By a hash of the owner: an index that began as the key does would be taken in place of the key where the lease of one delivery is
  // looked for, since the planner mostly finds the table empty.
  delivery_lease_fence: { table: 'delivery_lease', on: '(uuid_hash(owner_id), fence)' },
  post_first_seen: { table: 'post', on: '(team_id, first_seen_at, urn)' },
} as const satisfies Readonly<Record<string, LargeIndexDefinition>>
