/** What handlers of operations look like: the seam between the edge (which knows transport) and the modules (which do not). */
import type { Answer, Input, OperationId, OperationOf } from '@les/contract'
import type { Reader, Tx } from './db/unit-of-work.ts'
import type { Refusal } from './refusal.ts'

/** Who is calling: a team through one of its keys. */
export type Caller = {
  readonly teamId: string
  readonly keyId: string
  readonly plan: string
  readonly status: 'active' | 'trial' | 'expired'
  readonly captureAllowed: boolean
}

declare const settled: unique symbol

/** The proof that a write's answer was decided inside its unit of work, where a replay of it is recorded. */
export type Settled<A> = { readonly [settled]: A }

/** What every handler gets. `db` is for reads outside a unit of work. */
export type ReadContext = { readonly caller: Caller; readonly requestId: string; readonly db: Reader; readonly now: Date }

/**
 * What a write gets. The answer must come out of `unitOfWork`: the edge records it there for `Idempotency-Key` replays, in the
 * transaction of its effect. Returning a `Refusal` keeps the writes and refuses; throwing undoes them.
 */
export type WriteContext<A> = ReadContext & { readonly unitOfWork: (work: (tx: Tx) => Promise<A | Refusal>) => Promise<Settled<A>> }

/** The handler of an operation: reads give back the answer, writes settle it in a unit of work. */
export type Handler<Id extends OperationId> =
  OperationOf<Id>['method'] extends 'GET'
    ? (input: Input<OperationOf<Id>>, context: ReadContext) => Promise<Answer<OperationOf<Id>>>
    : (input: Input<OperationOf<Id>>, context: WriteContext<Answer<OperationOf<Id>>>) => Promise<Settled<Answer<OperationOf<Id>>>>

/** A set of handlers, by operation id; a module provides some, compose must have all. */
export type Handlers<Id extends OperationId = OperationId> = { readonly [I in Id]: Handler<I> }
