/** The clock's task that sums up what sources yield, for teams some of whose sums are not of now. */
import { eachTeam, type RoundDeps } from '../../../platform/work/index.ts'
import { firstDay } from './rules/days.ts'
import { listOwnersToSum, listTeamsToSum, sumUp } from './store.ts'

/** Teams that are asked for at once. */
const teamsAsked = 100
/** Sources that one unit of work sums up, and units of a team in one round. */
const sourcesAUnit = 50
const unitsARound = 200

/** Sums up, team by team; answers how many sources that were. */
export const sumUpYields = (deps: RoundDeps): Promise<number> =>
  eachTeam(deps, {
    task: 'sum up what sources yield',
    onceEach: true,
    find: async (_now, without) => (await listTeamsToSum(deps.db, without, teamsAsked)).map((teamId) => ({ teamId })),
    forTeam: async (teamId) => {
      const owners = await listOwnersToSum(deps.db, teamId, sourcesAUnit * unitsARound)
      for (let from = 0; from < owners.length; from += sourcesAUnit)
        await deps.unitOfWork((tx) =>
          sumUp(tx, { teamId, ownerIds: owners.slice(from, from + sourcesAUnit), since: firstDay(tx.now) }),
        )
      return owners.length
    },
  })
