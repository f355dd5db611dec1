import type { CallInput, OperationId, OperationOf, Result, SessionOperationId, SessionOperationOf } from '@les/contract'

export type AnyId = OperationId | SessionOperationId

type Of<Id extends AnyId> = Id extends SessionOperationId
  ? SessionOperationOf<Id>
  : Id extends OperationId
    ? OperationOf<Id>
    : never

/** The input of an operation: path, query and body fields in one object. */
export type InputOf<Id extends AnyId> = CallInput<Of<Id>>

export type ResultOf<Id extends AnyId> = Result<Of<Id>>
