/** Who calls: a team through one of its keys, or one of its members at the dashboard. */
import type {
  TeamRole,
  Answer,
  Input,
  OperationId,
  OperationOf,
  SessionOperationId,
  SessionOperationOf,
} from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Refusal } from '../../platform/refusal.ts'

/** Who is calling: a team through one of its keys. */
export type Caller = {
  readonly teamId: string
  readonly keyId: string
  readonly plan: string
  readonly status: 'active' | 'trial' | 'expired'
  readonly captureAllowed: boolean
  /** Who is signed in, when it is a person at the dashboard who asks; `keyId` is empty then. */
  readonly user?: Member
}

/** Somebody who is signed in. */
export type Person = { readonly id: string; readonly sessionId: string; readonly email: string; readonly name: string }

/** A member of the team of the call. */
export type Member = Person & { readonly role: TeamRole }

/** A member who calls for a team. */
type MemberCaller = Caller & { readonly user: Member }

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
  /** Adds to what the audit log says of the call, besides what was sent. */
  readonly note: (details: Readonly<Record<string, unknown>>) => void
}

/** Operations that settle nothing: reads, except those that charge. */
type IsFreeRead<O extends { readonly method: string; readonly charges: boolean }> = O['method'] extends 'GET'
  ? O['charges'] extends true
    ? false
    : true
  : false

/** The handler of an operation: free reads give back the answer, writes and reads that charge settle it in a unit of work. */
type Handler<Id extends OperationId> =
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
type SessionHandler<Id extends SessionOperationId> = SessionOperationOf<Id>['method'] extends 'GET'
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
