import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Writes a team's rows as JSON lines; `write` resolves when the next piece may come, and rejects once the caller has gone. */
export type ExportTeam = (teamId: string, write: (lines: string) => Promise<void>) => Promise<void>

/** A caller who reads nothing for this long has gone; the database would end the read a little later. */
const stalledMs = 50_000

/** Streams all data of a team as fast as the caller reads; stops querying when the connection closes. */
export async function serveTeamExport(
  exportTeam: ExportTeam,
  { teamId, raw, response }: { teamId: string; raw: IncomingMessage; response: ServerResponse },
): Promise<void> {
  raw.resume()
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="team-${teamId}.jsonl"`,
  })
  response.setTimeout(stalledMs, () => response.destroy())
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
