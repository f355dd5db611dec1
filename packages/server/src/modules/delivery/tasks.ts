/** What delivery does by itself: gives up, or lets go, what it holds for nothing any more. */
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import {
  cancelHeldOfUntracked,
  listHoldingForNothing,
  listTeamsHoldingForUntracked,
  releaseForNothing,
} from './held-store.ts'

const batch = 100

/** Ends held deliveries of untracked sources, some thousands a unit of work, team by team; answers how many. */
export function giveUpHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'give up what is held for untracked sources',
    find: (_now, without) => listTeamsHoldingForUntracked(deps.db, batch, without),
    forTeam: (teamId) => deps.unitOfWork((tx) => cancelHeldOfUntracked(tx, teamId)),
  })
}

/** Lets go what endpoints hold that are tried again, where that was too much for one save; answers how many. */
export function letGoHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'let go what is held for endpoints that are tried again',
    find: (_now, without) => listHoldingForNothing(deps.db, batch, without),
    forTeam: (teamId, its) =>
      deps.unitOfWork((tx) =>
        releaseForNothing(
          tx,
          teamId,
          its.map(({ ownerId }) => ownerId),
        ),
      ),
  })
}
