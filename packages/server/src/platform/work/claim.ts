import type { Tx } from '../db/tx.ts'
import { leaseRows, oldest } from './leases.ts'
import type { Lease, WorkRows } from './rows.ts'
import { pickTeams, restTeam, takeTurn } from './turns.ts'

/** `rows`: all rows of the kind; `take`: leases work of the given teams and gives them their turn. */
type ClaimOf<T> = {
  readonly rows: readonly [WorkRows, ...WorkRows[]]
  readonly take: (teams: readonly string[]) => Promise<readonly T[]>
  readonly teamOf: (taken: T) => string
  /** True when a team that gave nothing has claimable work all the same, and so stays ready. */
  readonly hasMore?: (teamId: string) => boolean
  /** For `limited` rows: whether a claim would find something of a team, although due rows may have to wait. */
  readonly mayTake?: (teamId: string) => Promise<boolean>
  /** How many teams one claim takes from, and the most it takes in all; a full claim puts no team to rest. */
  readonly teams: number
  readonly most: number
}

const maxRounds = 20

/**
 * Claims; empty when nothing is claimable. What becomes of a picked team:
 *
 *   gave something                                  took its turn (`take`), stays ready
 *   gave nothing, the claim is full (`most`)        unchanged: there may have been no room for it
 *   gave nothing, `hasMore`, others gave            unchanged: stays ahead of them
 *   gave nothing, `hasMore`, nobody gave            stays ready, behind all others
 *   gave nothing, and neither does `restTeam`       put to rest
 *   gave nothing, but `restTeam` finds something    stays ready, behind all others: another unit marks it or works on it
 */
export async function claim<T>(tx: Tx, nowMs: number, of: ClaimOf<T>): Promise<readonly T[]> {
  const { kind } = of.rows[0]
  // Teams that this unit has moved behind all others, and therefore must not put to rest (see `restTeam`).
  const movedBehind = new Set<string>()
  for (let round = 0; round < maxRounds; round++) {
    const { mine, others, woken } = await pickTeams(tx, kind, { nowMs, most: of.teams })
    if (mine.length === 0) {
      // Others are claiming from these teams: take the rows they have not locked.
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
        // Moved behind the teams that gave, it might be missed by the next claim, which their remaining work may fill.
        if (hasMore && taken.length > 0) continue
        if (!hasMore && (await restTeam(tx, of, teamId, nowMs))) continue
        await takeTurn(tx, teamId, kind)
        movedBehind.add(teamId)
      }
    // Without newly picked teams, another round would find nothing new.
    if (taken.length > 0 || withoutWork.length === 0) return taken
  }
  return []
}

/** Claims the longest-due row of the team served longest ago. */
export async function claimOne<Row extends { team_id: string }>(
  tx: Tx,
  rows: WorkRows,
  lease: Lease,
  set?: Parameters<typeof leaseRows>[4],
) {
  return (await claimSome<Row>(tx, rows, lease, 1, set))[0]
}

/** Claims the `most` longest-due rows of the team served longest ago. */
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
