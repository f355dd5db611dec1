/** The client of the pages: the contract's operations and the session-only ones, typed by their ids. */
import { session as sessionCalls, v1 as v1Calls } from 'virtual:operations'
import { layOut, type Call } from './lay-out.ts'
import { send, type SendSettings } from './send.ts'
import { currentTeam } from './team.ts'
import type { OperationId, SessionInput, SessionOperationId, SessionResult, V1Input, V1Result } from './types.ts'

const root = '/app/api'

function known(calls: Readonly<Record<string, Call>>, id: string): Call {
  const call = calls[id]
  if (call === undefined) throw new TypeError(`there is no operation ${id}`)
  return call
}

/** Where a call goes; operations without a team have an address of their own. */
function address(call: Call, path: string, kind: 'v1' | 'session'): string {
  if (kind === 'session' && call[4]) return `${root}${path}`
  return `${root}/teams/${encodeURIComponent(currentTeam())}${kind === 'v1' ? '/v1' : ''}${path}`
}

function make(calls: Readonly<Record<string, Call>>, kind: 'v1' | 'session') {
  return (id: string, input: object = {}, settings?: SendSettings): Promise<unknown> => {
    const call = known(calls, id)
    const { path, body } = layOut(call, input as Readonly<Record<string, unknown>>)
    return send(call[0], address(call, path, kind), body, settings)
  }
}

/** Calls by id; both reject with `ApiError`. The team is the one the person looks at. */
export const api = {
  v1: make(v1Calls, 'v1') as <Id extends OperationId>(
    id: Id,
    input: V1Input<Id>,
    settings?: SendSettings,
  ) => Promise<V1Result<Id>>,
  session: make(sessionCalls, 'session') as <Id extends SessionOperationId>(
    id: Id,
    input: SessionInput<Id>,
    settings?: SendSettings,
  ) => Promise<SessionResult<Id>>,
}

/** The address of a read of the contract, for a link with `download`; it begins with `at` in place of its own path. */
function downloadAddress<Id extends OperationId>(id: Id, input: V1Input<Id>, at?: string): string {
  const call = known(v1Calls, id)
  const { path } = layOut(call, input as Readonly<Record<string, unknown>>)
  if (at === undefined) return address(call, path, 'v1')
  return address(call, path.replace(/^[^?]*/, at), 'session')
}

/** The statement of a month as CSV. */
export const statementAddress = (month: string): string =>
  downloadAddress('getCreditStatement', { month, format: 'csv' })

/** Everything that is held of a person. */
export const personExportAddress = (personId: string): string => downloadAddress('exportPerson', { personId })

/** The streamed CSV of the leads that the filters of `listLeads` choose. */
export const exportAddress = (filters: V1Input<'listLeads'>): string =>
  downloadAddress('listLeads', filters, '/leads/export')
