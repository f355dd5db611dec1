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

/** Teams without work that one claim puts to rest before it leaves the others to the next. */
const looks = 20

/** Claims; nothing when there is nothing that could be claimed. */
export async function claim<T>(tx: Tx, nowMs: number, of: ClaimOf<T>): Promise<readonly T[]> {
  const { kind } = of.rows[0]
  // Teams that stay ready: this unit has given them their turn, and may not put them to rest any more (`restTeam`).
  const passedOver = new Set<string>()
  for (let look = 0; look < looks; look++) {
    const { mine, others, woken } = await pickTeams(tx, kind, { nowMs, most: of.teams })
    if (mine.length === 0) {
      // Beside somebody who is claiming from the same teams: what they lock is left out.
      if (others.length > 0) return of.take(others)
      if (woken) continue
      return []
    }
    const taken = await of.take(mine)
    const served = new Set(taken.map(of.teamOf))
    const inVain = mine.filter((teamId) => !served.has(teamId) && !passedOver.has(teamId))
    if (taken.length < of.most)
      for (const teamId of inVain) {
        const hasMore = of.hasMore?.(teamId) ?? false
        // It keeps its place, in front of the teams that got something: what they have left may be all that the next look sees.
        if (hasMore && taken.length > 0) continue
        if (!hasMore && (await restTeam(tx, of, teamId, nowMs))) continue
        await takeTurn(tx, teamId, kind)
        passedOver.add(teamId)
      }
    // Another look at teams that were looked at twice would find nothing new.
    if (taken.length > 0 || inVain.length === 0) return taken
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
