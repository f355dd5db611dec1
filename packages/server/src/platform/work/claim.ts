/**
 * Claims: the teams served longest ago, and of those the work that is due longest. A claim is SQL alone; what the work needs beyond
 * its rows is read behind it. The last thing that is claimed from a team leaves it ready; the look that finds nothing puts it to rest.
 */
import type { Tx } from '../db/tx.ts'
import { leaseRows, oldest } from './leases.ts'
import type { Lease, WorkRows } from './rows.ts'
import { pickTeams, restTeam, takeTurn } from './turns.ts'

/** What is claimed from, and how: `rows` are all that the kind has; `take` leases from the teams named and gives them their turn. */
type ClaimOf<T> = {
  readonly rows: readonly [WorkRows, ...WorkRows[]]
  readonly take: (teams: readonly string[]) => Promise<readonly T[]>
  /** Which team something taken is of. */
  readonly teamOf: (taken: T) => string
  /** True when a team that got nothing has something to claim all the same: then it keeps being ready. */
  readonly hasMore?: (teamId: string) => boolean
  /** Whether a look of now would find something of a team, needed where what is due may have to wait (`limited` rows). */
  readonly mayTake?: (teamId: string) => Promise<boolean>
  /** How many teams one claim takes from, and how much in all: teams that got nothing for want of room are not put to rest. */
  readonly teams: number
  readonly most: number
}

/** Rounds of one claim: each picks teams, and puts to rest those without work before the next; what is left is the next claim's. */
const maxRounds = 20

/**
 * Claims; nothing when there is nothing that could be claimed. What becomes of a team that was picked:
 *
 *   it gave something                                 it has had its turn (`take`), and is ready still
 *   it gave nothing, `most` was taken from others     it is left as it is: there may have been no room for it
 *   it gave nothing, `hasMore`, others gave           it is left as it is, in front of them
 *   it gave nothing, `hasMore`, nobody gave           it stays ready, behind all others
 *   it gave nothing, `restTeam` finds nothing either  it is put to rest
 *   it gave nothing, `restTeam` finds something       it stays ready, behind all others: somebody marks it, or works on it
 */
export async function claim<T>(tx: Tx, nowMs: number, of: ClaimOf<T>): Promise<readonly T[]> {
  const { kind } = of.rows[0]
  // Teams that gave nothing and stay ready: this unit has moved them behind all others, and may no longer put them to rest (`restTeam`).
  const movedBehind = new Set<string>()
  for (let round = 0; round < maxRounds; round++) {
    const { mine, others, woken } = await pickTeams(tx, kind, { nowMs, most: of.teams })
    if (mine.length === 0) {
      // Others are claiming from these teams just now: we take what they have not locked.
      if (others.length > 0) return of.take(others)
      if (woken) continue
      return []
    }
    const taken = await of.take(mine)
    const served = new Set(taken.map(of.teamOf))
    const withoutWork = mine.filter((teamId) => !served.has(teamId) && !movedBehind.has(teamId))
    if (taken.length < of.most)
      for (const teamId of withoutWork) {
        const hasMore = of.hasMore?.(teamId) ?? false
        // Behind the teams that gave something it might not be picked next time: what they have left may fill the claim.
        if (hasMore && taken.length > 0) continue
        if (!hasMore && (await restTeam(tx, of, teamId, nowMs))) continue
        await takeTurn(tx, teamId, kind)
        movedBehind.add(teamId)
      }
    // All that was picked is behind the others already: another round would find nothing new.
    if (taken.length > 0 || withoutWork.length === 0) return taken
  }
  return []
}

/** Claims the row that is due longest of the team served longest ago, with its columns. */
export async function claimOne<Row extends { team_id: string }>(
  tx: Tx,
  rows: WorkRows,
  lease: Lease,
  set?: Parameters<typeof leaseRows>[4],
) {
  return (await claimSome<Row>(tx, rows, lease, 1, set))[0]
}

/** Claims the rows that are due longest, at most `most`, of the team served longest ago. */
export function claimSome<Row extends { team_id: string }>(
  tx: Tx,
  rows: WorkRows,
  lease: Lease,
  most: number,
  set?: Parameters<typeof leaseRows>[4],
) {
  return claim(tx, lease.nowMs, {
    rows: [rows],
    take: (teams) => leaseRows<Row>(tx, rows, lease, oldest(tx, rows, { teams, nowMs: lease.nowMs, most }), set),
    teamOf: (row) => row.team_id,
    teams: 1,
    most,
  })
}
