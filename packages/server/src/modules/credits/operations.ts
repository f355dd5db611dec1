/** Handlers of `GET /credits` and `GET /credits/usage` (specification «Account»; G13, G15). */
import type { Answer, OperationOf } from '@les/contract'
import { presentUsage, type CreditUsage, type SourceDescription } from './present.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { type Handlers, readTeam } from '../accounts/index.ts'
import { readBalance } from './actions.ts'
import { sumCharges } from './store.ts'

/** A team's balance as answers show it; a trial does not renew: it ends (G14). */
export async function readCredits(db: Reader, teamId: string, now: Date): Promise<Answer<OperationOf<'getCredits'>>> {
  const [figures, team] = [await readBalance(db, teamId, now), await readTeam(db, teamId)]
  const { balance, used, limit, remaining } = figures
  return {
    balance,
    used,
    limit,
    remaining,
    plan: team?.plan ?? '',
    nextReset: (figures.nextReset ?? team?.trialEndsAt ?? figures.periodStart).toISOString(),
  }
}

/** What charged sources are called, by id: asked of `sources`, which lies above. */
export type DescribeSources = (
  db: Reader,
  teamId: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, SourceDescription>>

/** The handlers of this module. */
export const creditOperations = (describeSources: DescribeSources): Handlers<'getCredits' | 'getCreditsUsage'> => ({
  getCredits: (_input, { caller, db, now }) => readCredits(db, caller.teamId, now),
  getCreditsUsage: async (input, { caller, db, now }): Promise<CreditUsage> => {
    const from = input.from ?? (await readBalance(db, caller.teamId, now)).periodStart
    const to = input.to ?? now
    if (to < from)
      refuse(
        'invalid_request',
        {},
        input.from === undefined
          ? `\`to\` must not be before ${from.toISOString()}, when the billing period began: send \`from\` too`
          : `\`from\` must not be after ${to.toISOString()}, which is now: send \`to\` too`,
      )
    const sums = await sumCharges(db, { teamId: caller.teamId, from, to })
    const sourceIds = new Set(sums.flatMap(({ sourceId }) => sourceId ?? []))
    return presentUsage({ from, to }, sums, await describeSources(db, caller.teamId, [...sourceIds]))
  },
})
