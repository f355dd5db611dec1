/**
 * What migration 0030 left out (docs/decisions/0094). Vacuuming goes at a pace that PostgreSQL took for disks of another age: of a
 * million leads with twenty indexes a round takes minutes, in which a table that criteria turn over has grown by another half.
 */

/** Large tables whose rows change: vacuumed ten times as fast. */
const large = ['lead', 'delivery', 'enrichment_task', 'person', 'engager', 'sync', 'sync_post', 'keyword_post']

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  ...large.map((table) => `alter table ${table} set (autovacuum_vacuum_cost_limit = 2000)`),
]
