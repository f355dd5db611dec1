/**
 * A company's facts on the leads of a team: leads are filled with them while somebody may have the company's record refreshed. Who
 * refreshes sees no lead that is being filled in that moment, so it would keep the older facts, and a verdict by them, for good.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { findCompanies, type KnownCompany } from './store.ts'

/** SQL: the name of the lock on a company's facts in a team. */
const nameOf = (teamId: string, urn: RawBuilder<string>): RawBuilder<bigint> =>
  sql`hashtextextended(${`company facts|${teamId}|`} || ${urn}, 0)`

/** Company records by URN, for leads that this unit of work fills and judges: whoever refreshes one of them waits for its end. */
export async function findCompaniesToFill(
  tx: Tx,
  teamId: string,
  urns: readonly string[],
): Promise<Map<string, KnownCompany>> {
  if (urns.length === 0) return new Map()
  // A statement of its own: the records are read as they are once nobody refreshes them.
  await sql`select pg_advisory_xact_lock_shared(${nameOf(teamId, sql`wanted.urn`)})
    from (select distinct urn from unnest(${[...urns]}::text[]) as u (urn) order by urn) wanted`.execute(tx.db)
  return findCompanies(tx.db, urns)
}

/** Waits for those who fill leads with a company's facts, and keeps others waiting until this unit of work has refreshed them. */
export async function holdCompanyFacts(tx: Tx, teamId: string, urn: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nameOf(teamId, sql`${urn}::text`)})`.execute(tx.db)
}
