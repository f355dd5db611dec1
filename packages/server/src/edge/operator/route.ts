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
import { describeIssue } from '../../platform/read-fields.ts'
import type { Target } from '../http/target.ts'
import type { Reply } from '../reply.ts'
import type { ExportTeam } from '../http/stream.ts'

export type Cell = string | number | null

/** Fields of a day's cost (UTC); ids are null for calls without team or source; `teamDollars`: spent with the team's own keys. */
export const costFields = ['day', 'teamId', 'sourceId', 'vendor', 'calls', 'dollars', 'teamDollars'] as const

/** Fields of a team's revenue and cost in dollars; null where the price of a credit is not set. */
export const marginFields = ['teamId', 'name', 'credits', 'revenue', 'dollars', 'margin'] as const

type Line<Fields extends readonly string[]> = Readonly<Record<Fields[number], Cell>>

/** UTC days, both inclusive. */
export type Days = { readonly from: string; readonly to: string }

export type VendorCosts = {
  /** Reports every data vendor; `deep` also makes one cheap data call to each. */
  vendors(deep: boolean): Promise<readonly unknown[]>
  /** At most `max` + 1 lines, so that the caller sees when there are more. */
  lines(days: Days, max: number): Promise<readonly Line<typeof costFields>[]>
  margins(days: Days): Promise<readonly Line<typeof marginFields>[]>
}

export type OperatorParts = {
  readonly token: string
  /** System time, by which wrong tokens are counted. */
  readonly nowMs: () => number
  readonly db: Kysely<Database>
  readonly unitOfWork: UnitOfWork
  readonly shards: Shards
  readonly clock: ServiceClock
  readonly vault: Vault
  readonly ids: Ids
  readonly log: Log
  readonly costs: VendorCosts
  readonly privacy: {
    erase(asked: { readonly name: string; readonly reason: string | null }): Promise<readonly TeamErasure[]>
    list(): Promise<readonly TeamErasure[]>
  }
  /** Works until nothing is due (G119); returns what was done. */
  readonly drain: () => Promise<Readonly<Record<string, unknown>>>
  /** Sends a marked sample to a source's webhook; returns the response. */
  readonly sendSample: (teamId: string, sourceId: string) => Promise<SampleSent>
  /** Invites somebody by mail, in the operator's name; refuses `member_exists` and `invitation_limit_reached`. */
  readonly invite: (
    tx: Tx,
    wanted: { readonly teamId: string; readonly email: string; readonly role: TeamRole },
  ) => Promise<{ readonly id: string; readonly expiresAt: Date }>
  /** Removes due rows of a closed team, as many as one request can; `gone`: nothing is left. */
  readonly endTeam: (teamId: string) => Promise<{ readonly gone: boolean }>
  readonly exportTeam: ExportTeam
  /** Called after a manual clock has moved, before the answer. */
  readonly onClockMoved: () => Promise<void> | void
  /** With `LES_FAULTS=1`: the fault points, and how to arm one. */
  readonly faults: { readonly points: Readonly<Record<FaultPoint, string>>; readonly arm: ArmFault } | undefined
}

/** A request to a route; `body` reads the JSON on demand. */
export type OperatorRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Target['query']
  readonly body: () => Promise<Record<string, unknown>>
  readonly raw: IncomingMessage
  readonly response: ServerResponse
}

/** Routes by method and path; null when a route has answered itself. */
export type OperatorRoutes = Readonly<Record<string, (request: OperatorRequest) => Promise<Reply | null>>>

/** A success. */
export function answer(status: 200 | 201, body: unknown): Reply {
  return { status, headers: {}, body }
}

/** Parses a body; refuses 400 naming the first field that does not fit. */
export function readFields<S extends z.ZodType>(schema: S, body: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Refusal('invalid_request', {}, describeIssue(parsed.error.issues[0]!, body))
}
