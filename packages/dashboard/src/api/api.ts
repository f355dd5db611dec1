/** The pages' client: operations of the contract and of the session, typed by id. */
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

/** The address of a call; operations without a team are not below `/teams`. */
const address = (isTeamless: boolean, path: string): string =>
  `/app/api${isTeamless ? '' : `/teams/${encodeURIComponent(currentTeam())}`}${path}`

/** Calls an operation for the current team; rejects with `ApiError`. */
export function ask<Id extends AnyId>(id: Id, input: InputOf<Id>, settings?: SendSettings): Promise<ResultOf<Id>> {
  const call = known(id)
  const { path, body } = layOut(call, input as Readonly<Record<string, unknown>>)
  return send(call[0], address(call[3] === true, path), body, settings)
}

/** The address of a read of the contract, for a `download` link; `at` replaces the operation's own path. */
function downloadAddress<Id extends AnyId>(id: Id, input: InputOf<Id>, at?: string): string {
  const { path } = layOut(known(id), input as Readonly<Record<string, unknown>>)
  return address(false, at === undefined ? path : path.replace(/^[^?]*/, at))
}

export const statementAddress = (month: string): string =>
  downloadAddress('getCreditStatement', { month, format: 'csv' })

export const personExportAddress = (personId: string): string => downloadAddress('exportPerson', { personId })

/** The address of the streamed CSV of the leads that filters of `listLeads` choose. */
export const exportAddress = (filters: InputOf<'listLeads'>): string =>
  downloadAddress('listLeads', filters, '/leads/export')
