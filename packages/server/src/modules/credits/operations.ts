/** Handlers of `GET /credits` and `GET /credits/usage` (specification «Account»; G13, G15). */
import type { CreditUsage } from './present.ts'
import { presentUsage } from './present.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Handlers } from '../../platform/handler.ts'
import { readTeam } from '../accounts/index.ts'
import { readBalance } from './actions.ts'
import { sumCharges } from './store.ts'

/** The handlers of this module. */
export const creditOperations: Handlers<'getCredits' | 'getCreditsUsage'> = {
  getCredits: async (_input, { caller, db, now }) => {
    const [figures, team] = [await readBalance(db, caller.teamId, now), await readTeam(db, caller.teamId)]
    const { balance, used, limit, remaining } = figures
    return { balance, used, limit, remaining, plan: caller.plan, nextReset: (figures.nextReset ?? team?.trialEndsAt ?? figures.periodStart).toISOString() }
  },
  getCreditsUsage: async (input, { caller, db, now }): Promise<CreditUsage> => {
    const from = input.from ?? (await readBalance(db, caller.teamId, now)).periodStart
    const to = input.to ?? now
    if (to < from) refuse('invalid_request', {}, '`from` must not be after `to`')
    return presentUsage({ from, to }, await sumCharges(db, caller.teamId, from, to))
  },
}
