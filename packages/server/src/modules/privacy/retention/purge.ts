/**
 * Deletes leads older than the days a team has set, with their deliveries to webhooks and destinations. People whom no lead or
 * source of the team names are deleted too, except that member id and handle stay of people who are excluded or have replied.
 * Hashes of the engagements stay, so that no sweep takes them for new, and so does the ledger, so that nobody is charged twice.
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

/** Deletes a batch of old leads, fitting or not. */
export const purgeLeads: PurgeTeam = purge('all')

/** Deletes a batch of old leads that do not fit the criteria of their source. */
export const purgeUnfitLeads: PurgeTeam = purge('unfit')

async function removeLeads(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  // Waits for a running erasure, so that no hash is kept of the person it removes.
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
