/**
 * How the database keeps hot tables in order (docs/decisions/0050). By default a table is vacuumed when a fifth of it has changed: of a
 * million leads that is after 200,000 dead rows, and of a small row that changes with every page it is hardly ever in time.
 */

/** A few rows that change with every unit of work: vacuumed after a thousand changes, however many rows there are. */
const hotRows = ['work_turn', 'credit_account', 'lead_count', 'source', 'webhook', 'vendor_slot', 'vendor_minute']

/** Rows that change a few times in their life, or come and go: vacuumed when one in fifty has changed. */
const changing = [
  'lead',
  'delivery',
  'enrichment_task',
  'sync',
  'sync_post',
  'person',
  'keyword_post',
  'idempotency_answer',
]

/** Rows that are only added and purged: their pages are marked as visible to all when one in twenty is new, so that reads by index alone stay that. */
const growing = ['credit_entry', 'delivery_attempt', 'audit_entry', 'lead_text', 'post']

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  ...hotRows.map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`,
  ),
  ...changing.map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02)`,
  ),
  ...growing.map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`,
  ),
  // A lead is written anew when it is enriched, judged and sent: room for that on its own page keeps the table from spreading.
  `alter table lead set (fillfactor = 85)`,
]
