/** What delivery does by itself: gives up what it holds for sources that nobody tracks any more. */
import { eachTeam, type RoundDeps } from '../../platform/work/index.ts'
import { cancelHeldOfUntracked, listTeamsHoldingForUntracked } from './push-store.ts'

const batch = 100

/** Cancels held deliveries of untracked sources, one unit of work a team; answers how many. */
export function giveUpHeld(deps: RoundDeps): Promise<number> {
  return eachTeam(deps, {
    task: 'give up what is held for untracked sources',
    find: (_now, without) => listTeamsHoldingForUntracked(deps.db, batch, without),
    forTeam: (teamId) => deps.unitOfWork((tx) => cancelHeldOfUntracked(tx, teamId)),
  })
}
