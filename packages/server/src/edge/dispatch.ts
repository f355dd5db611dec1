/** The pipeline of every surface: `admit` (`admission.ts`) checks key, rate and team; `perform` does everything after that. */
import { statusOf, takesIdempotencyKey, type Operation, type OperationId, type SessionOperationId } from '@les/contract'
import type { Kysely } from 'kysely'
import {
  recordChange,
  type Statements,
  type Caller,
  type Handlers,
  type NamesErased,
  type SessionHandlers,
  type Settled,
} from '../modules/accounts/index.ts'
import type { BlockList } from '../modules/network/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import { addLogContext } from '../platform/log-context.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Shards } from '../platform/db/shards.ts'
import type { UnitOfWork, Tx } from '../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../platform/faults.ts'
import type { Log } from '../platform/log.ts'
import type { Ids } from '../platform/random.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Vault } from '../platform/secrets.ts'
import type { Places } from '../platform/places.ts'
import type { ServiceClock } from '../platform/service-clock.ts'
import { makeAdmissions, type Admissions, type Counted } from './admission.ts'
import type { CallParts } from './calls.ts'
import { describeIssue } from '../platform/read-fields.ts'
import { validateInput, type RawInput } from './input.ts'
import { checkIdempotency, checkIdempotencyKey } from './idempotency.ts'
import { failureReply, type Reply } from './reply.ts'

export type DispatchParts = {
  readonly handlers: Handlers | SessionHandlers
  /** For reads outside units of work, and for reading a manual clock. */
  readonly db: Kysely<Database>
  readonly pool: Statements
  readonly shards: Shards
  readonly unitOfWork: UnitOfWork
  readonly clock: ServiceClock
  readonly system: SystemClock
  readonly vault: Vault
  readonly ids: Ids
  readonly log: Log
  readonly namesErased: NamesErased
  readonly countBlocked: BlockList['countBlocked']
  readonly faultPoint: FaultPointHook
  /** How many reads, and units of work of writes, one team may run at once. */
  readonly concurrencyLimiters: { readonly reads: Pick<Places, 'run'>; readonly writes: Pick<Places, 'run'> }
} & CallParts

type Call = {
  readonly operation: Operation & { readonly id: OperationId | SessionOperationId }
  readonly caller: Caller
  readonly requestId: string
  readonly now: Date
  readonly input: RawInput
  /** The path, each segment decoded and encoded again; an Idempotency-Key is scoped to it. */
  readonly path: string
  readonly idempotencyKey: string | undefined
  /** Where the call was counted; it is taken out again when the operation refuses `rate_limited`. */
  readonly counted?: Counted | undefined
}

export type Dispatch = Omit<Admissions, 'uncount'> & {
  /** Runs an operation; never throws. */
  perform(call: Call): Promise<Reply>
}

type Recorder = ((tx: Tx, status: number, body: unknown) => Promise<void>) | undefined
type AnyHandler = (input: Record<string, unknown>, context: unknown) => Promise<unknown>

/** The answer as the contract promises it; throws when it does not fit, which is a bug of ours. */
function checkedAnswer(operation: Operation, answer: unknown): unknown {
  const parsed = operation.success.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new Error(
    `the answer of ${operation.id} breaks its contract: ${parsed.error.issues.map((issue) => describeIssue(issue, answer)).join('; ')}`,
  )
}

/** `Handlers` pairs each operation with its handler at compile time; here the operation is known only at run time. */
const handlerOf = (parts: DispatchParts, { operation }: Call): AnyHandler =>
  (parts.handlers as unknown as Readonly<Record<string, AnyHandler>>)[operation.id]!

/** The concurrency limiter's key: the team, or the person for a call without a team. */
const limiterKeyOf = ({ caller }: Call): string => caller.teamId || (caller.user?.id ?? '')

/** True for an operation that waits for a vendor: it holds no connection meanwhile, and must not delay the team's other reads. */
const callsVendors = ({ errors }: Operation): boolean =>
  errors.some((key) => key === 'provider_unavailable' || key === 'outreach_unavailable')

async function runRead(parts: DispatchParts, call: Call, input: Record<string, unknown>): Promise<Reply> {
  const handler = handlerOf(parts, call)
  const read = () => handler(input, { caller: call.caller, requestId: call.requestId, db: parts.db, now: call.now })
  const answer = await (callsVendors(call.operation)
    ? read()
    : parts.concurrencyLimiters.reads.run(limiterKeyOf(call), read))
  const body = checkedAnswer(call.operation, answer)
  const status = statusOf(call.operation, body)
  if (call.operation.csv === undefined || input.format !== 'csv') return { status, headers: {}, body }
  return { status, headers: { 'content-type': csvType }, body, text: call.operation.csv.write(body) }
}

const csvType = 'text/csv; charset=utf-8; header=present'

async function runWrite(
  parts: DispatchParts,
  { call, input, record }: { call: Call; input: Record<string, unknown>; record: Recorder },
): Promise<Reply> {
  const { operation, caller, requestId, now } = call
  let settled: { readonly body: unknown } | undefined
  const noted: Record<string, unknown> = {}
  // A write that may have paid a vendor already is not turned away at its last step.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    operation.charges ? work() : parts.concurrencyLimiters.writes.run(limiterKeyOf(call), work)
  const unitOfWork = async (work: (tx: Tx) => Promise<unknown>): Promise<Settled<unknown>> => {
    if (settled) throw new Error(`${operation.id} settled its answer twice`)
    const outcome = await inTurn(() =>
      parts.unitOfWork(async (tx) => {
        const answer = await work(tx)
        const log = (body: unknown) =>
          recordChange(tx, {
            caller,
            operationId: operation.id,
            params: call.input.params,
            sent: call.input.body,
            answer: body,
            noted,
            namesErased: parts.namesErased,
          })
        if (answer instanceof Refusal) {
          // What was noted happened before the refusal, so it is logged.
          if (Object.keys(noted).length > 0) await log(null)
          return answer
        }
        const body = checkedAnswer(operation, answer)
        await record?.(tx, statusOf(operation, body), body)
        // A read that charges changes only the ledger, which is its own record.
        if (operation.method !== 'GET') await log(body)
        await parts.faultPoint('handler')
        return { body }
      }),
    )
    if (outcome instanceof Refusal) throw outcome
    settled = outcome
    return outcome as unknown as Settled<unknown>
  }
  const handler = handlerOf(parts, call)
  const given = await handler(input, {
    caller,
    requestId,
    db: parts.db,
    now,
    unitOfWork,
    note: (details: Readonly<Record<string, unknown>>) => void Object.assign(noted, details),
  })
  if (!settled || given !== settled) throw new Error(`${operation.id} answered outside its unit of work`)
  return { status: statusOf(operation, settled.body), headers: {}, body: settled.body }
}

async function perform(parts: DispatchParts, call: Call): Promise<Reply> {
  const { operation, caller, idempotencyKey, now } = call
  const settles = takesIdempotencyKey(operation)
  const input = validateInput(operation, call.input)
  if (settles && idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey)
  if (!settles) return await runRead(parts, call, input)
  if (idempotencyKey === undefined) return await runWrite(parts, { call, input, record: undefined })
  const decision = await checkIdempotency(parts, {
    operationId: operation.id,
    method: operation.method,
    path: call.path,
    teamId: caller.teamId,
    key: idempotencyKey,
    input: call.input,
    now,
  })
  if ('replay' in decision) return decision.replay
  try {
    return await runWrite(parts, { call, input, record: decision.record })
  } finally {
    // A lock that cannot be released now expires with its lease; the outcome stands either way.
    await decision
      .unlock()
      .catch((error: unknown) =>
        parts.log.warn('an idempotency lock was not released', { requestId: call.requestId, error }),
      )
  }
}

export function makeDispatch(parts: DispatchParts): Dispatch {
  const { uncount, ...admissions } = makeAdmissions(parts)
  return {
    ...admissions,
    perform: async (call) => {
      addLogContext({ operation: call.operation.id, teamId: call.caller.teamId })
      const log = parts.log.with({ operation: call.operation.id, teamId: call.caller.teamId })
      const reply = await perform(parts, call).catch((error: unknown) => failureReply(error, call.requestId, log))
      if (reply.refusal === 'rate_limited' && call.counted)
        await uncount(call.counted).catch((error: unknown) =>
          log.warn('a call that was refused for being too fast stays counted', { requestId: call.requestId, error }),
        )
      return reply
    },
  }
}
