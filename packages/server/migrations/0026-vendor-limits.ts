/**
 * What a vendor's account takes at once, as its answers say: kept, so that a start does not begin with one call at a time again.
 * And the network's number of a company's industry, which stays when the name changes.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table vendor_limit (
    account text primary key,
    in_flight integer not null check (in_flight > 0)
  )`,
  `alter table company add column industry_id text`,
]
