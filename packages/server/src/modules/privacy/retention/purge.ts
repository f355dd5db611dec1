/**
 * Leads that a team keeps no longer, by the days it has set. They go with their deliveries to webhooks and destinations, and their people with all that is known of
 * them once no lead and no source of the team names them; of who is excluded or has replied the names stay. Their engagements stay known as hashes, so that no sweep takes them for new,
 * and the ledger stays, so that nobody is charged for again.
 */
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../../platform/retention.ts'
import { shareAccount } from '../../credits/index.ts'
import {
  listOldLeads,
  listPeopleLeftOut,
  listPeopleWithLeads,
  rememberDeletedLeads,
  type OldLeads,
} from '../../leads/index.ts'
import { deleteDestinationDeliveries } from '../../delivery/index.ts'
import { erasePeople } from '../../network/index.ts'
import { unlinkResults } from '../../results/index.ts'
import { listTrackedUrns } from '../../sources/index.ts'
import { eraseLeads } from '../erase-leads.ts'

const purge =
  (which: OldLeads['which']): PurgeTeam =>
  async (tx, { teamId, before, limit }) => {
    const ids = await listOldLeads(tx.db, { teamId, before, which, limit })
    if (ids.length > 0) await removeLeads(tx, teamId, ids)
    return batchOf(ids.length, limit)
  }

/** Deletes the oldest leads from before, whatever is thought of them. */
export const purgeLeads: PurgeTeam = purge('all')

/** Deletes the oldest leads from before that do not fit the criteria of their source. */
export const purgeUnfitLeads: PurgeTeam = purge('unfit')

async function removeLeads(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  // Waits for an erasure under way, so that nothing is remembered of the person it removes.
  await shareAccount(tx, teamId, 'team')
  await rememberDeletedLeads(tx, teamId, ids)
  const { leads } = await eraseLeads(tx, teamId, ids)
  const people = [...new Set(leads.map(({ personUrn }) => personUrn))]
  await unlinkResults(tx, teamId, { leadIds: ids, urns: people })
  await deleteDestinationDeliveries(tx, teamId, { leadIds: ids, urns: people })
  const [named, tracked] = [
    await listPeopleWithLeads(tx.db, teamId, people),
    await listTrackedUrns(tx.db, teamId, people),
  ]
  const gone = people.filter((urn) => !named.has(urn) && !tracked.has(urn))
  await erasePeople(tx, teamId, gone, await listPeopleLeftOut(tx.db, teamId, gone))
}
