/** The types of handlers, their callers and contexts. */
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

/** The caller: a team through one of its keys, or a member at the dashboard (`user` is set and `keyId` empty). */
export type Caller = {
  readonly teamId: string
  readonly keyId: string
  readonly plan: string
  readonly status: 'active' | 'trial' | 'expired'
  readonly captureAllowed: boolean
  readonly user?: Member
}

export type Person = { readonly id: string; readonly sessionId: string; readonly email: string; readonly name: string }

export type Member = Person & { readonly role: TeamRole }

type MemberCaller = Caller & { readonly user: Member }

declare const settled: unique symbol

/** Proof that an answer was decided inside the unit of work of its effect, where it is also recorded for replays. */
export type Settled<A> = { readonly [settled]: A }

/** What every handler gets; `db` is for reads outside units of work. */
export type ReadContext = {
  readonly caller: Caller
  readonly requestId: string
  readonly db: Reader
  readonly now: Date
}

/**
 * What a write, or a read that charges, gets. `unitOfWork` makes the answer; the edge records it in the same transaction for
 * `Idempotency-Key` replays. Returning a `Refusal` keeps the writes; throwing rolls them back.
 */
export type WriteContext<A> = ReadContext & {
  readonly unitOfWork: (work: (tx: Tx) => Promise<A | Refusal>) => Promise<Settled<A>>
  /** Adds details to the call's audit entry. */
  readonly note: (details: Readonly<Record<string, unknown>>) => void
}

/** An operation's handler: free reads return the answer, others settle it in a unit of work. */
type Handler<Id extends OperationId> =
  OperationOf<Id> extends { readonly method: 'GET'; readonly charges: false }
    ? (input: Input<OperationOf<Id>>, context: ReadContext) => Promise<Answer<OperationOf<Id>>>
    : (
        input: Input<OperationOf<Id>>,
        context: WriteContext<Answer<OperationOf<Id>>>,
      ) => Promise<Settled<Answer<OperationOf<Id>>>>

/** Handlers by operation id; each module provides some, composition must have all. */
export type Handlers<Id extends OperationId = OperationId> = { readonly [I in Id]: Handler<I> }

type SessionCaller<Id extends SessionOperationId> = SessionOperationOf<Id>['role'] extends null
  ? { readonly user: Person }
  : MemberCaller
type InSession<Id extends SessionOperationId, Context> = Omit<Context, 'caller'> & {
  readonly caller: SessionCaller<Id>
}

type SessionHandler<Id extends SessionOperationId> = SessionOperationOf<Id>['method'] extends 'GET'
  ? (
      input: Input<SessionOperationOf<Id>>,
      context: InSession<Id, ReadContext>,
    ) => Promise<Answer<SessionOperationOf<Id>>>
  : (
      input: Input<SessionOperationOf<Id>>,
      context: InSession<Id, WriteContext<Answer<SessionOperationOf<Id>>>>,
    ) => Promise<Settled<Answer<SessionOperationOf<Id>>>>

/** The dashboard's handlers by operation id; the caller includes the signed-in person. */
export type SessionHandlers<Id extends SessionOperationId = SessionOperationId> = {
  readonly [I in Id]: SessionHandler<I>
}
