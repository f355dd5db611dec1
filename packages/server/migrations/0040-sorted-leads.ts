/** The order of leads by name and by company, for the grid of the dashboard; the other orders have their indexes (docs/decisions/0059). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create index lead_sorted_by_name on lead (team_id, (lower(left(name, 60)) collate "C"), created_at desc, id desc) where enrichment <> 'raw' and name is not null`,
  `create index lead_sorted_by_company on lead (team_id, (lower(left(company_name, 60)) collate "C"), created_at desc, id desc) where enrichment <> 'raw' and company_name is not null`,
]
