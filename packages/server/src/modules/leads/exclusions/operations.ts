import { bounds, type Answer, type OperationOf } from '@les/contract'
import { sql } from 'kysely'
import { refuse } from '../../../platform/refusal.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { Caller, Handlers, NamesErased } from '../../accounts/index.ts'
import { countLeads, readList } from '../list.ts'
import { leadsById } from '../listing.ts'
import { matchLeads, namedEntries } from './matching.ts'
import {
  countListed,
  deleteEntry,
  insertEntries,
  renewStatistics,
  listEntries,
  readSettings,
  saveSettings,
  type AskedSettings,
} from './store.ts'
import { readEntries, withoutErased, type InvalidEntry } from './values.ts'

type ExclusionOperationId =
  | 'addExclusions'
  | 'listExclusions'
  | 'removeExclusion'
  | 'getExclusionSettings'
  | 'updateExclusionSettings'

/** The caller as an entry records them: a member's mail address, or the name of the API key. */
export async function nameOf(db: Reader, { teamId, keyId, user }: Caller): Promise<string> {
  if (user) return user.email
  const { rows } = await sql<{ name: string }>`
    select name from api_key where team_id = ${teamId} and id::text = ${keyId}`.execute(db)
  return rows[0]?.name ?? 'API'
}

const refuseAllInvalid = (invalid: readonly InvalidEntry[]): never =>
  refuse(
    'invalid_request',
    {},
    `No entry can be taken: ${invalid
      .slice(0, 5)
      .map(({ index, error }) => `entries[${index}]: ${error}`)
      .join('; ')}${invalid.length > 5 ? `; and ${invalid.length - 5} more` : ''}`,
  )

/** Counts the leads that settings would exclude as the lists count them: saves the settings and rolls back to a savepoint. */
async function trySettings(tx: Tx, teamId: string, settings: AskedSettings) {
  await sql`savepoint before_settings`.execute(tx.db)
  await saveSettings(tx, teamId, settings)
  const input = { excluded: 'only', includeInactive: true, includeSyncing: true } as const
  const { total: matching } = await countLeads(tx.db, await readList(tx.db, { teamId, input }))
  await sql`rollback to savepoint before_settings`.execute(tx.db)
  return { dryRun: true as const, counts: { matching, notMatching: (await countListed(tx.db, teamId)) - matching } }
}

type ExclusionDeps = {
  readonly namesErased: NamesErased
  /** Waits for a running erasure to end; requests for exports wait for this unit to end. */
  readonly awaitErasure: (tx: Tx, teamId: string) => Promise<void>
}

/** Handlers of exclusions: entries and settings (EXC-01..EXC-04). */
export const exclusionOperations = ({ namesErased, awaitErasure }: ExclusionDeps): Handlers<ExclusionOperationId> => ({
  addExclusions: async ({ entries, list, origin, replaces, dryRun }, { caller, db, unitOfWork }) => {
    let added = 0
    const settled = await unitOfWork(async (tx): Promise<Answer<OperationOf<'addExclusions'>>> => {
      const { teamId } = caller
      await awaitErasure(tx, teamId)
      const { valid, invalid } = await withoutErased(tx.db, {
        teamId,
        namesErased,
        read: await readEntries(tx.db, teamId, entries),
      })
      if (valid.length === 0) return refuseAllInvalid(invalid)
      const { matching, sampleIds } = await matchLeads(tx.db, {
        teamId,
        entries: namedEntries(valid),
        sample: dryRun ? bounds.icpSample : 0,
      })
      if (dryRun) {
        const notMatching = (await countListed(tx.db, teamId)) - matching
        return { dryRun, counts: { matching, notMatching }, sample: await leadsById(tx.db, teamId, sampleIds) }
      }
      added = await insertEntries(tx, {
        teamId,
        list,
        origin: caller.user ? 'dashboard' : 'api',
        ...(origin === 'csv' ? { origin } : {}),
        createdBy: await nameOf(tx.db, caller),
        entries: valid,
        replaces,
      })
      return { added, alreadyListed: valid.length - added, invalid: [...invalid], matchingLeads: matching }
    })
    await renewStatistics(db, added)
    return settled
  },

  listExclusions: async ({ limit, offset, ...filter }, { caller, db }) => {
    const { rows, total } = await listEntries(db, { teamId: caller.teamId, filter, page: { limit, offset } })
    return { entries: rows, total, limit, offset, hasMore: offset + rows.length < total }
  },

  removeExclusion: ({ id }, { caller, unitOfWork, note }) =>
    unitOfWork(async (tx) => {
      const removed = id === null ? undefined : await deleteEntry(tx, caller.teamId, id)
      if (!removed) return refuse('not_found', {}, 'No such entry')
      const { kind, value, list, reason, key } = removed
      note({ kind, value, list, reason })
      const [again] = (await readEntries(tx.db, caller.teamId, [removed])).valid
      return { ok: true, id: removed.id, deleted: true, ...(again?.names.includes(key) ? {} : { heldBy: key }) }
    }),

  getExclusionSettings: (_input, { caller, db }) => readSettings(db, caller.teamId),

  updateExclusionSettings: ({ dryRun, ...settings }, { caller: { teamId }, unitOfWork }) =>
    unitOfWork(async (tx): Promise<Answer<OperationOf<'updateExclusionSettings'>>> => {
      if (dryRun) return trySettings(tx, teamId, settings)
      await awaitErasure(tx, teamId)
      return saveSettings(tx, teamId, settings)
    }),
})
