import type { CallInput, OperationId, OperationOf, Result, SessionOperationId, SessionOperationOf } from '@les/contract'

/** An operation of the contract, or one that only a signed-in person may ask. */
export type AnyId = OperationId | SessionOperationId

type Of<Id extends AnyId> = Id extends SessionOperationId
  ? SessionOperationOf<Id>
  : Id extends OperationId
    ? OperationOf<Id>
    : never

/** What an operation takes: path, query and body fields in one object. */
export type InputOf<Id extends AnyId> = CallInput<Of<Id>>

/** What an operation answers. */
export type ResultOf<Id extends AnyId> = Result<Of<Id>>
