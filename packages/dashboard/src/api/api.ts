/** The client of the pages: the contract's operations and those of the session, typed by their ids. */
import { calls } from 'virtual:operations'
import { layOut, type Call } from './lay-out.ts'
import { send, type SendSettings } from './send.ts'
import { currentTeam } from './team.ts'
import type { AnyId, InputOf, ResultOf } from './types.ts'

function known(id: string): Call {
  const call = calls[id]
  if (call === undefined) throw new TypeError(`there is no operation ${id}`)
  return call
}

/** Where a call goes; operations without a team have an address of their own. */
const address = (isTeamless: boolean, path: string): string =>
  `/app/api${isTeamless ? '' : `/teams/${encodeURIComponent(currentTeam())}`}${path}`

/** Calls an operation for the team that the person looks at; rejects with `ApiError`. */
export function ask<Id extends AnyId>(id: Id, input: InputOf<Id>, settings?: SendSettings): Promise<ResultOf<Id>> {
  const call = known(id)
  const { path, body } = layOut(call, input as Readonly<Record<string, unknown>>)
  return send(call[0], address(call[3] === true, path), body, settings)
}

/** The address of a read of the contract, for a link with `download`; it begins with `at` in place of its own path. */
function downloadAddress<Id extends AnyId>(id: Id, input: InputOf<Id>, at?: string): string {
  const { path } = layOut(known(id), input as Readonly<Record<string, unknown>>)
  return address(false, at === undefined ? path : path.replace(/^[^?]*/, at))
}

/** The statement of a month as CSV. */
export const statementAddress = (month: string): string =>
  downloadAddress('getCreditStatement', { month, format: 'csv' })

/** Everything that is held of a person. */
export const personExportAddress = (personId: string): string => downloadAddress('exportPerson', { personId })

/** The streamed CSV of the leads that the filters of `listLeads` choose. */
export const exportAddress = (filters: InputOf<'listLeads'>): string =>
  downloadAddress('listLeads', filters, '/leads/export')
