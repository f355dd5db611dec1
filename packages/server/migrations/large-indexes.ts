/** Indexes of large tables that are made beside the service (`platform/db/indexes.ts`), not by a migration. */

/** One: its table, what follows `create index NAME on TABLE`, and the index that goes once this one is there. */
export interface LargeIndexDefinition {
  readonly table: string
  readonly on: string
  /** Whatever is read by it must be as quick by the new one: the program before goes on meanwhile. */
  readonly replaces?: string
}

const newest = 'created_at desc, id desc'

/** Every such index by its name. */
export const largeIndexes = {
  delivery_body_age: {
    table: 'delivery',
    on: '(team_id, finished_at) where body is not null and finished_at is not null',
  },
  keyword_post_reason_age: { table: 'keyword_post', on: '(team_id, decided_at) where reason is not null' },
  // Old posts that no lead names (docs/retention.md); with a million leads 0.5 s for 1,000 posts without it, 8 ms with it.
  lead_of_post: { table: 'lead', on: '(team_id, post_urn) where post_urn is not null' },
  // People among the leads of a filter, far down: the index names the person, so that no lead is read for those who stand before
  // (docs/benchmarks.md: from 100,000 of 1,000,000 in 0.2 s instead of 0.7 to 6.5).
  lead_people_by_icp: {
    table: 'lead',
    on: `(team_id, is_icp, ${newest}) include (owner_id, person_urn) where enrichment <> 'raw' and is_icp is not null`,
    replaces: 'lead_by_icp',
  },
  lead_people_by_kind: {
    table: 'lead',
    on: `(team_id, source_kind, ${newest}) include (owner_id, person_urn) where enrichment <> 'raw'`,
    replaces: 'lead_by_kind',
  },
  lead_people_by_type: {
    table: 'lead',
    on: `(team_id, engagement_type, ${newest}) include (owner_id, person_urn) where enrichment <> 'raw'`,
    replaces: 'lead_by_type',
  },
  // Raw leads of one kind of engagement, far down.
  lead_raw_listed: {
    table: 'lead',
    on: `(team_id, ${newest}) include (owner_id, engagement_type) where enrichment = 'raw'`,
    replaces: 'lead_raw_newest',
  },
  post_first_seen: { table: 'post', on: '(team_id, first_seen_at, urn)' },
} as const satisfies Readonly<Record<string, LargeIndexDefinition>>
