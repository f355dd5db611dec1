/** Indexes of large tables that are made beside the service (`platform/db/indexes.ts`), not by a migration. */

/** Every such index: its table, and what follows `create index NAME on TABLE`. */
export const largeIndexes = {
  delivery_body_age: {
    table: 'delivery',
    on: '(team_id, finished_at) where body is not null and finished_at is not null',
  },
  keyword_post_reason_age: { table: 'keyword_post', on: '(team_id, decided_at) where reason is not null' },
  // Old posts that no lead names (docs/retention.md); with a million leads 0.5 s for 1,000 posts without it, 8 ms with it.
  lead_of_post: { table: 'lead', on: '(team_id, post_urn) where post_urn is not null' },
  post_first_seen: { table: 'post', on: '(team_id, first_seen_at, urn)' },
} as const
