/** Handler of what outreach has done: by what we stored, without asking the platform. */
import type { SessionHandlers } from '../accounts/index.ts'
import { listCampaignRows, listRuleRows } from './outreach-store.ts'
import { pausedWords } from './rules/paused.ts'

/** The handler. */
export const outreachResultOperations: SessionHandlers<'listOutreachResults'> = {
  listOutreachResults: async (_input, { caller, db }) => {
    const [campaigns, rules] = await Promise.all([listCampaignRows(db, caller.teamId), listRuleRows(db, caller.teamId)])
    return {
      campaigns: campaigns.map(({ lastSentAt, ...rest }) => ({
        ...rest,
        lastSentAt: lastSentAt?.toISOString() ?? null,
      })),
      rules: rules.map(({ pausedReason, ...rest }) => ({ ...rest, paused: pausedWords(pausedReason) })),
    }
  },
}
