import type { CallInput, OperationId, OperationOf, Result, SessionOperationId, SessionOperationOf } from '@les/contract'

export type { OperationId, SessionOperationId } from '@les/contract'

/** What an operation of the contract takes: path, query and body fields in one object. */
export type V1Input<Id extends OperationId> = CallInput<OperationOf<Id>>

export type V1Result<Id extends OperationId> = Result<OperationOf<Id>>

/** What a session-only operation takes. */
export type SessionInput<Id extends SessionOperationId> = CallInput<SessionOperationOf<Id>>

/** What a session-only operation answers. */
export type SessionResult<Id extends SessionOperationId> = Result<SessionOperationOf<Id>>

/** What a query is about: live updates name all but `slow`, which is what a vendor is asked or all leads are counted for. */
export type Topic =
  | 'leads'
  | 'sources'
  | 'syncs'
  | 'keywords'
  | 'credits'
  | 'deliveries'
  | 'discover'
  | 'agent'
  | 'outreach'
  | 'people'
  | 'settings'
  | 'slow'
