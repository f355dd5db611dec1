import { operationsById } from '@les/contract'
import { teamIsServed } from '../../modules/accounts/index.ts'
import { exportLeads, type ListInput } from '../../modules/leads/index.ts'
import { readingHere } from '../../platform/db/shards.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { DispatchParts } from '../dispatch.ts'
import type { Incoming } from '../http/envelope.ts'
import { streamAnswer } from '../http/stream.ts'
import type { Target } from '../http/target.ts'
import { validateInput } from '../input.ts'
import type { Visitor } from './visitor.ts'

/** Streams the leads of `GET /leads` as CSV, with its filters and refusals; stops querying when the connection closes. */
export async function serveExport(
  parts: Pick<DispatchParts, 'db' | 'clock'>,
  { team }: Visitor,
  query: Target['query'],
  { raw, response }: Pick<Incoming, 'raw' | 'response'>,
): Promise<void> {
  const now = await parts.clock.now(parts.db)
  if (!teamIsServed(team, now)) throw new Refusal('team_inactive')
  const filters = validateInput(operationsById.listLeads, { params: {}, query, body: {} }) as ListInput
  const lines = await exportLeads(parts.db, { teamId: team.id, filters })
  raw.resume()
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="leads-${now.toISOString().slice(0, 10)}.csv"`,
  }
  await streamAnswer(response, headers, { parts: readingHere(lines) })
}
