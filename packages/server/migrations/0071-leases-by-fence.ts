/**
 * Leases of an endpoint in the order of their fences: a claim that knows the oldest of them passes by none that is over, which stay in
 * the index as long as some session may see them (docs/decisions/0111). By a hash of the owner: an index that began as the key does would
 * be taken in place of the key where a lease is looked for by its delivery, for the planner mostly finds the table empty.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create index delivery_lease_fence on delivery_lease (uuid_hash(owner_id), fence)`,
]
