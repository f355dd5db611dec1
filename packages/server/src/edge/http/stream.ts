import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ExportFile } from '../../modules/delivery/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Incoming, Serve } from './envelope.ts'

/** A caller who reads nothing for this long has gone. */
const stalledMs = 60_000

/** Streams parts as fast as the caller reads; asks for no more when the connection closes. */
export async function streamAnswer(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  { parts, through = [] }: { parts: AsyncIterable<unknown>; through?: readonly Transform[] },
): Promise<void> {
  response.writeHead(200, headers)
  response.setTimeout(stalledMs, () => response.destroy())
  try {
    await pipeline([Readable.from(parts, { highWaterMark: 1 }), ...through, response])
  } catch (error) {
    if (!response.destroyed || !isGone(error)) throw error
  }
}

const isGone = (error: unknown): boolean =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '')

const types = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' } as const

/** Serves files of leads at addresses that need no key; an unknown or expired address is 404. */
export const serveExports =
  (open: (path: string) => Promise<ExportFile | null>): Serve =>
  async ({ raw, response, url }) => {
    const file = await open(url.split('?')[0]!)
    if (file === null) throw new Refusal('not_found', {}, 'No such file: its time may be over')
    raw.resume()
    const headers = {
      'content-type': types[file.format],
      'content-disposition': `attachment; filename="leads-${file.day}.${file.format}"`,
    }
    if (raw.method === 'HEAD') response.writeHead(200, headers).end()
    else await streamAnswer(response, headers, { parts: file.parts, through: [createGunzip()] })
    return null
  }

/** Writes a team's rows as JSON lines; `write` resolves when the next piece may come, and rejects once the caller has gone. */
export type ExportTeam = (teamId: string, write: (lines: string) => Promise<void>) => Promise<void>

/** A caller who reads nothing for this long has gone; the database would end the read a little later. */
const exportStalledMs = 50_000

/** Streams all data of a team as fast as the caller reads; stops querying when the connection closes. */
export async function serveTeamExport(
  exportTeam: ExportTeam,
  { teamId, raw, response }: { teamId: string } & Pick<Incoming, 'raw' | 'response'>,
): Promise<void> {
  raw.resume()
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="team-${teamId}.jsonl"`,
  })
  response.setTimeout(exportStalledMs, () => response.destroy())
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    await exportTeam(teamId, async (lines) => {
      gone.signal.throwIfAborted()
      if (!response.write(lines)) await once(response, 'drain', { signal: gone.signal })
    })
    response.end()
  } catch (error) {
    if (!gone.signal.aborted) throw error
  }
}
