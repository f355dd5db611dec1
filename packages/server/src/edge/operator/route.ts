/** What the operator surface is made of, and what a route of it is. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TeamRole } from '@les/contract'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { SampleSent } from '../../modules/delivery/index.ts'
import type { TeamErasure } from '../../modules/privacy/index.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { Shards } from '../../platform/db/shards.ts'
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { ArmFault, FaultPoint } from '../../platform/faults.ts'
import type { Log } from '../../platform/log.ts'
import type { Ids } from '../../platform/random.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { ServiceClock } from '../../platform/service-clock.ts'
import { describeIssue } from '../input.ts'
import type { Target } from '../http/target.ts'
import type { Reply } from '../reply.ts'
import type { ExportTeam } from '../team-export.ts'

/** A value of a report. */
export type Cell = string | number | null

/** What a line says of what was spent in a UTC day; null where calls belong to no team or no source. `teamDollars`: with keys of its own. */
export const costFields = ['day', 'teamId', 'sourceId', 'vendor', 'calls', 'dollars', 'teamDollars'] as const

/** What a team was charged and what it cost; in dollars, null where the price of a credit is not set. */
export const marginFields = ['teamId', 'name', 'credits', 'revenue', 'dollars', 'margin'] as const

type Line<Fields extends readonly string[]> = Readonly<Record<Fields[number], Cell>>

/** UTC days, both among them. */
export type Days = { readonly from: string; readonly to: string }

export type VendorCosts = {
  /** Every vendor of data; `deep` also makes one cheap call for data at each. */
  vendors(deep: boolean): Promise<readonly unknown[]>
  /** At most `max` lines and one more. */
  lines(days: Days, max: number): Promise<readonly Line<typeof costFields>[]>
  margins(days: Days): Promise<readonly Line<typeof marginFields>[]>
}

/** Everything the operator surface is made of. */
export type OperatorParts = {
  readonly token: string
  /** System time: wrong tokens are counted by it. */
  readonly nowMs: () => number
  readonly db: Kysely<Database>
  readonly unitOfWork: UnitOfWork
  readonly shards: Shards
  readonly clock: ServiceClock
  readonly vault: Vault
  readonly ids: Ids
  readonly log: Log
  readonly costs: VendorCosts
  /** Erasing somebody in every team, and the receipts of that. */
  readonly privacy: {
    erase(asked: { readonly name: string; readonly reason: string | null }): Promise<readonly TeamErasure[]>
    list(): Promise<readonly TeamErasure[]>
  }
  /** Does what is due (G119); answers what that was. */
  readonly drain: () => Promise<Readonly<Record<string, unknown>>>
  /** Sends a marked sample to the webhook of a source; answers what came back. */
  readonly sendSample: (teamId: string, sourceId: string) => Promise<SampleSent>
  /** Invites somebody into a team by mail, in the operator's name; refuses `member_exists` and `invitation_limit_reached`. */
  readonly invite: (
    tx: Tx,
    wanted: { readonly teamId: string; readonly email: string; readonly role: TeamRole },
  ) => Promise<{ readonly id: string; readonly expiresAt: Date }>
  /** Removes rows of a closed team whose time has come, as far as one request goes; `gone`: nothing is left. */
  readonly endTeam: (teamId: string) => Promise<{ readonly gone: boolean }>
  readonly exportTeam: ExportTeam
  /** Called after a manual clock moved, before the answer. */
  readonly onClockMoved: () => Promise<void> | void
  /** With `LES_FAULTS=1`: the named places, and how one is armed. */
  readonly faults: { readonly points: Readonly<Record<FaultPoint, string>>; readonly arm: ArmFault } | undefined
}

/** What a route is asked with; `body` reads the request's JSON when asked. */
export type OperatorRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Target['query']
  readonly body: () => Promise<Record<string, unknown>>
  readonly raw: IncomingMessage
  readonly response: ServerResponse
}

export type OperatorRoute = {
  readonly method: string
  readonly path: string
  /** Null: it has answered by itself. */
  readonly serve: (request: OperatorRequest) => Promise<Reply | null>
}

/** A success. */
export function answer(status: 200 | 201, body: unknown): Reply {
  return { status, headers: {}, body }
}

/** The fields of a body, parsed; refuses with 400 naming the first that does not fit. */
export function readFields<S extends z.ZodType>(schema: S, body: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_request', {}, describeIssue(parsed.error.issues[0]!, body))
}
