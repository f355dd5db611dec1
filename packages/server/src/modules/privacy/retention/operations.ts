/** Handlers of the two retention rules that a team sets itself. */
import { keptSince } from '../../../platform/retention.ts'
import { readKeepDays, saveKeepDays, type Handlers, type KeepDays } from '../../accounts/index.ts'
import { countOldLeads } from '../../leads/index.ts'

/** Days as the API has them; null: as long as the team exists. */
type Retention = { readonly keepLeadsDays: number | null; readonly keepUnfitDays: number | null }

const presentRetention = (days: KeepDays): Retention => ({
  keepLeadsDays: days.leads ?? null,
  keepUnfitDays: days['unfit-leads'] ?? null,
})

/** The handlers. */
export const retentionOperations: Handlers<'getRetention' | 'updateRetention'> = {
  getRetention: async (_input, { caller, db }) => presentRetention(await readKeepDays(db, caller.teamId)),
  updateRetention: ({ keepLeadsDays, keepUnfitDays, dryRun }, { caller: { teamId }, unitOfWork }) =>
    unitOfWork(async (tx) => {
      const wanted = { leads: keepLeadsDays, 'unfit-leads': keepUnfitDays }
      if (dryRun !== true) {
        await saveKeepDays(tx, teamId, wanted)
        return presentRetention(await readKeepDays(tx.db, teamId))
      }
      const now = presentRetention(await readKeepDays(tx.db, teamId))
      const since = (days: number | null) => (days === null ? null : keptSince(tx.now, days))
      return {
        dryRun: true as const,
        counts: await countOldLeads(tx.db, {
          teamId,
          before: since(keepLeadsDays === undefined ? now.keepLeadsDays : keepLeadsDays),
          unfitBefore: since(keepUnfitDays === undefined ? now.keepUnfitDays : keepUnfitDays),
        }),
      }
    }),
}
