/** What handlers of operations look like: the seam between the edge (which knows transport) and the modules (which do not). */
import type { Answer, Input, OperationId, OperationOf, SessionOperationId, SessionOperationOf } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { Caller, MemberCaller, Person } from './caller.ts'

declare const settled: unique symbol

/**
 * The proof that the answer of a write, or of a read that charges, was decided inside its unit of work, where a replay
 * of it is recorded.
 */
export type Settled<A> = { readonly [settled]: A }

/** What every handler gets. `db` is for reads outside a unit of work. */
export type ReadContext = {
  readonly caller: Caller
  readonly requestId: string
  readonly db: Reader
  readonly now: Date
}

/**
 * What a write, or a read that charges, gets. The answer must come out of `unitOfWork`: the edge records it there for
 * `Idempotency-Key` replays, in the
 * transaction of its effect. Returning a `Refusal` keeps the writes and refuses; throwing undoes them.
 */
export type WriteContext<A> = ReadContext & {
  readonly unitOfWork: (work: (tx: Tx) => Promise<A | Refusal>) => Promise<Settled<A>>
}

/** Operations that settle nothing: reads, except those that charge. */
type IsFreeRead<O extends { readonly method: string; readonly charges: boolean }> = O['method'] extends 'GET'
  ? O['charges'] extends true
    ? false
    : true
  : false

/** The handler of an operation: free reads give back the answer, writes and reads that charge settle it in a unit of work. */
export type Handler<Id extends OperationId> =
  IsFreeRead<OperationOf<Id>> extends true
    ? (input: Input<OperationOf<Id>>, context: ReadContext) => Promise<Answer<OperationOf<Id>>>
    : (
        input: Input<OperationOf<Id>>,
        context: WriteContext<Answer<OperationOf<Id>>>,
      ) => Promise<Settled<Answer<OperationOf<Id>>>>

/** A set of handlers, by operation id; a module provides some, compose must have all. */
export type Handlers<Id extends OperationId = OperationId> = { readonly [I in Id]: Handler<I> }

type SessionCaller<Id extends SessionOperationId> = SessionOperationOf<Id>['role'] extends null
  ? { readonly user: Person }
  : MemberCaller
type InSession<Id extends SessionOperationId, Context> = Omit<Context, 'caller'> & {
  readonly caller: SessionCaller<Id>
}

/** The handler of an operation of the dashboard: like that of any other, with the person who asks. */
export type SessionHandler<Id extends SessionOperationId> = SessionOperationOf<Id>['method'] extends 'GET'
  ? (
      input: Input<SessionOperationOf<Id>>,
      context: InSession<Id, ReadContext>,
    ) => Promise<Answer<SessionOperationOf<Id>>>
  : (
      input: Input<SessionOperationOf<Id>>,
      context: InSession<Id, WriteContext<Answer<SessionOperationOf<Id>>>>,
    ) => Promise<Settled<Answer<SessionOperationOf<Id>>>>

/** A set of the dashboard's handlers, by operation id. */
export type SessionHandlers<Id extends SessionOperationId = SessionOperationId> = {
  readonly [I in Id]: SessionHandler<I>
}
