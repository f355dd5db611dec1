/** Handlers of Discover (G16, G90, G91, G92; C20), and the start of a run for an agent. */
import { bounds, type Answer, type OperationOf } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Handlers } from '../accounts/index.ts'
import { lockAccount, mustConfirm, quote, readBalance, shareAccount } from '../credits/index.ts'
import { warnedOfCountries } from '../network/index.ts'
import { listFoundPeople, type FoundPerson } from './people-store.ts'
import { endRun } from './steps.ts'
import { findDiscoverRun, listDiscoverRuns, markDeleted, startDiscover, type DiscoverRun } from './store.ts'

type RunWithPeople = Answer<OperationOf<'getDiscoverRun'>>

/** Presents a run without its people. */
const presentRun = (run: DiscoverRun): Omit<RunWithPeople, 'influencers'> => ({
  ...run,
  keywords: [...run.keywords],
  countries: [...run.countries],
  error: run.errorCode === null ? null : { code: run.errorCode, error: run.errorText ?? run.errorCode },
})

const presentWithPeople = (run: DiscoverRun, people: readonly FoundPerson[]): RunWithPeople => ({
  ...presentRun(run),
  influencers: [...people],
})

/** Deletes a run, ending it if it is under way; people added stay. False when there is none. */
async function deleteDiscoverRun(tx: Tx, teamId: string, runId: string): Promise<boolean> {
  if ((await findDiscoverRun(tx.db, teamId, runId))?.agentId != null) await lockAccount(tx, teamId)
  const run = await markDeleted(tx, teamId, runId)
  if (!run) return false
  if (run.state === 'running')
    await endRun(tx, run, {
      state: 'failed',
      errorCode: 'deleted',
      errorText: 'The run was deleted while it was under way',
    })
  return true
}

const noSuchRun = (): never => refuse('not_found', {}, 'No such Discover run')

export const discoverOperations = {
  startDiscover: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      // Waits for an erasure under way, which moves the fence only of runs that exist.
      await shareAccount(tx, caller.teamId, 'team')
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
      const run = await startDiscover(tx, caller.teamId, {
        keywords: input.keywords,
        countries: input.countries ?? [],
        minEngagement: input.minEngagement ?? bounds.discoverMinEngagement.default,
        maxInfluencers,
      })
      return { ...presentWithPeople(run, []), ...warnedOfCountries(run.countries) }
    }),
  listDiscoverRuns: async (_input, { caller, db }) => ({
    runs: (await listDiscoverRuns(db, caller.teamId)).map(presentRun),
  }),
  getDiscoverRun: async (input, { caller, db }) => {
    const run = (input.id === null ? undefined : await findDiscoverRun(db, caller.teamId, input.id)) ?? noSuchRun()
    return presentWithPeople(run, await listFoundPeople(db, run))
  },
  deleteDiscoverRun: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      if (input.id === null || !(await deleteDiscoverRun(tx, caller.teamId, input.id))) return noSuchRun()
      return { ok: true as const, id: input.id, deleted: true as const }
    }),
} satisfies Partial<Handlers>
