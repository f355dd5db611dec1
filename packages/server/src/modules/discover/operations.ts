/** Handlers of Discover (specification «Discover»; G16, G90, G91, C20). */
import { bounds } from '@les/contract'
import type { Handlers } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { mustConfirm, quote, readBalance } from '../credits/index.ts'
import { warnedOfCountries } from '../network/index.ts'
import { deleteDiscoverRun, startDiscover } from './actions.ts'
import { listAdded } from './people-store.ts'
import { presentDiscoverRun, presentDiscoverRunWithPeople } from './present.ts'
import { findDiscoverRun, listDiscoverRuns } from './store.ts'

const noSuchRun = (): never => refuse('not_found', {}, 'No such Discover run')

/** The handlers of this module. */
export const discoverOperations: Handlers<
  'startDiscover' | 'listDiscoverRuns' | 'getDiscoverRun' | 'deleteDiscoverRun'
> = {
  startDiscover: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      const maxInfluencers = input.maxInfluencers ?? bounds.discoverInfluencers.default
      const { balance } = await readBalance(tx.db, caller.teamId, tx.now)
      if (mustConfirm({ raises: true, confirmSpend: input.confirmSpend }))
        return refuse(
          'spend_confirmation_required',
          quote({ per: 'call', credits: maxInfluencers }, balance),
          `This run adds up to ${maxInfluencers} people, one credit each, also for those whom a source has found: ` +
            'send the same request with confirmSpend: true to go ahead',
        )
      if (balance <= 0)
        return refuse(
          'insufficient_enriching_credits',
          { estimatedCredits: maxInfluencers, remainingBalance: balance },
          'Not enough enriching credits: the balance is 0, so nobody could be added',
        )
      const { run } = await startDiscover(tx, caller, {
        keywords: input.keywords,
        countries: input.countries ?? [],
        minEngagement: input.minEngagement ?? bounds.discoverMinEngagement.default,
        maxInfluencers,
      })
      return { ...presentDiscoverRunWithPeople(run, []), ...warnedOfCountries(run.countries) }
    }),
  listDiscoverRuns: async (_input, { caller, db }) => ({
    runs: (await listDiscoverRuns(db, caller.teamId)).map(presentDiscoverRun),
  }),
  getDiscoverRun: async (input, { caller, db }) => {
    const run = (input.id === null ? undefined : await findDiscoverRun(db, caller.teamId, input.id)) ?? noSuchRun()
    return presentDiscoverRunWithPeople(run, await listAdded(db, run))
  },
  deleteDiscoverRun: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      if (input.id === null || !(await deleteDiscoverRun(tx, caller.teamId, input.id))) return noSuchRun()
      return { ok: true as const, id: input.id, deleted: true as const }
    }),
}
