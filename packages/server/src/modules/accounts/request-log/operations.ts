/** Handlers that show the request log, newest first. */
import {
  asCurl,
  asLes,
  findOperation,
  requestDays,
  type Answer,
  type MadeCall,
  type SessionOperationOf,
} from '@les/contract'
import type { SessionHandlers } from '../handler.ts'
import { pageOf, readCursor } from '../../../platform/keyset.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { RequestLog } from './recorder.ts'
import { findRequestRow, listRequestRows, type ReadRow } from './store.ts'

type Shown = Answer<SessionOperationOf<'listRequests'>>['requests'][number]

const pairsOf = (row: ReadRow) => JSON.parse(row.query) as (readonly [string, string])[]
const bodyOf = (row: ReadRow) => (row.body === null ? null : (JSON.parse(row.body) as Record<string, unknown>))

function callerOf({ callerKind, callerId, callerName, keyName, masked }: ReadRow): Shown['caller'] {
  const name = callerKind === 'user' ? callerName : keyName === null ? 'An API key' : `${keyName} (${masked})`
  return { kind: callerKind, id: callerId, name }
}

function present(row: ReadRow): Shown {
  const search = new URLSearchParams(pairsOf(row).map(([name, value]) => [name, value])).toString()
  return { ...row, path: search === '' ? row.path : `${row.path}?${search}`, caller: callerOf(row) }
}

const statusesOf = (text: string): readonly [number, number] =>
  text.endsWith('xx') ? [Number(text[0]) * 100, Number(text[0]) * 100 + 99] : [Number(text), Number(text)]

const dayMs = 86_400_000

/** Creates the handlers; they flush this process's pending rows first. */
export function requestLogOperations(parts: {
  readonly requestLog: RequestLog
  readonly publicOrigin: () => string
}): SessionHandlers<'listRequests' | 'getRequest'> {
  return {
    listRequests: async ({ cursor, limit, status, ...filter }, { caller, db, now }) => {
      await parts.requestLog.flush()
      const { rows, nextCursor } = pageOf(
        await listRequestRows(db, {
          teamId: caller.teamId,
          filter: { ...filter, statuses: status === undefined ? undefined : statusesOf(status) },
          page: {
            before: readCursor(cursor)?.id ?? null,
            oldest: new Date(now.getTime() - requestDays * dayMs),
            limit: limit + 1,
          },
        }),
        limit,
        (row) => row,
      )
      return { requests: rows.map(present), nextCursor }
    },
    getRequest: async ({ id }, { caller, db }) => {
      const row =
        (id === null ? undefined : await findRequestRow(db, caller.teamId, id)) ??
        refuse('not_found', {}, 'No such call')
      const call: MadeCall = { method: row.method, path: row.path, query: pairsOf(row), body: bodyOf(row) }
      const operation = (row.operation === null ? undefined : findOperation(row.operation)) ?? null
      return {
        request: present(row),
        body: call.body,
        curl: asCurl(call, parts.publicOrigin()),
        les: asLes(operation, call),
      }
    },
  }
}
