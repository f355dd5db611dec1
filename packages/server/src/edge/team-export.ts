/** The export of everything that is held of a team, streamed as fast as the caller reads; both the operator and an owner have it. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Writes all rows of a team as lines of JSON; `write` resolves when the next piece may come, and rejects once the caller has gone. */
export type ExportTeam = (teamId: string, write: (lines: string) => Promise<void>) => Promise<void>

/** A caller who reads nothing for so long has gone; the database would end the reading a little later. */
const stalledMs = 50_000

/** Streams it; ends with the connection, and asks the database no more. */
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
