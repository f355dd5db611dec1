import type { SessionResult } from '../../api/index.ts'

/** A call of the log. */
export type Call = SessionResult<'listRequests'>['requests'][number]

/** Ways in, in words. */
export const wayIn: Readonly<Record<Call['surface'], string>> = { api: 'API', mcp: 'agent tools' }

/** The colour of a status. */
export const toneOf = (status: number): 'good' | 'warn' | 'bad' =>
  status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'
