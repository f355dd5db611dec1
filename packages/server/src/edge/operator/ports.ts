/** What the operator surface needs from the rest of the service; compose plugs it in. */
import type { TeamRole } from '@les/contract'
import type { ArmFault, FaultPoints } from '../../platform/faults.ts'
import type { Kysely } from 'kysely'
import type { Team, TeamStatus } from '../../modules/accounts/index.ts'
import type { SampleSent } from '../../modules/delivery/index.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Log } from '../../platform/log.ts'
import type { Ids } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { ServiceClock } from '../../platform/service-clock.ts'

/** The balance as shown (G13). */
export type CreditSummary = {
  readonly balance: number
  readonly used: number
  readonly limit: number
  readonly remaining: number
  readonly nextReset: Date | string
}

/** What modules/credits does for the operator. */
export type CreditAccounts = {
  /** Opens the account of a new team; without an allowance, that of its status (G14). */
  openAccount(
    tx: Tx,
    teamId: string,
    account: { readonly status: TeamStatus; readonly allowance?: number | undefined },
  ): Promise<void>
  /** Sets the allowance of the running period. */
  setAllowance(tx: Tx, teamId: string, allowance: number): Promise<void>
  /** Adds credits that do not lapse, once per `key`. */
  topUp(tx: Tx, teamId: string, grant: { readonly amount: number; readonly key: string }): Promise<void>
  read(db: Reader, teamId: string, now: Date): Promise<CreditSummary>
  /** Follows a team into another standing (trial to paid and back); called before `setAllowance`. */
  standingChanged?(tx: Tx, before: Team, after: Team): Promise<void>
}

/** What draining did (G119). */
export type Drained = {
  readonly processed: number
  readonly byKind: Readonly<Record<string, number>>
  readonly busy?: boolean
}

/** A line of what was spent in a UTC day; null where calls belong to no team or no source. */
export type CostLine = {
  readonly day: string
  readonly teamId: string | null
  readonly sourceId: string | null
  readonly vendor: string
  readonly calls: number
  readonly dollars: number
  /** What the team pays itself, with a key of its own. */
  readonly teamDollars: number
}

/** What a team was charged and what it cost; in dollars, null where the price of a credit is not set. */
export type Margin = {
  readonly teamId: string
  readonly name: string
  readonly credits: number
  readonly dollars: number
  readonly revenue: number | null
  readonly margin: number | null
}

/** Vendors and what they cost. */
export type VendorCosts = {
  /** Every vendor of data; `deep` also makes one cheap call for data at each. */
  vendors(deep: boolean): Promise<readonly unknown[]>
  /** At most `most` lines and one more. */
  lines(days: { readonly from: string; readonly to: string }, most: number): Promise<readonly CostLine[]>
  margins(days: { readonly from: string; readonly to: string }): Promise<readonly Margin[]>
}

/** Places where a fault can be armed. */
export type FaultParts = { readonly points: FaultPoints; readonly arm: ArmFault }

/** Everything the operator surface is made of. */
export type OperatorParts = {
  readonly token: string
  /** System time: wrong tokens are counted by it. */
  readonly nowMs: () => number
  readonly db: Kysely<Database>
  readonly unitOfWork: UnitOfWork
  readonly clock: ServiceClock
  readonly vault: Vault
  readonly ids: Ids
  readonly log: Log
  readonly credits: CreditAccounts
  readonly costs: VendorCosts
  readonly drain: () => Promise<Drained>
  /** Sends a marked sample to the webhook of a source and tells what came back. */
  readonly sendSample: (teamId: string, sourceId: string) => Promise<SampleSent>
  /** Invites somebody into a team by mail, in the operator's name; refuses `member_exists` and `invitation_limit_reached`. */
  readonly invite: (
    tx: Tx,
    wanted: { readonly teamId: string; readonly email: string; readonly role: TeamRole },
  ) => Promise<{ readonly id: string; readonly expiresAt: Date }>
  /** Told after a manual clock moved, before the answer. */
  readonly onClockMoved: () => Promise<void> | void
  /** With `LES_FAULTS=1`: the named places, and how one is armed. */
  readonly faults: FaultParts | undefined
}
