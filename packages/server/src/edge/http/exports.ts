/** Files of leads behind addresses that need no key: streamed part by part, as fast as the caller reads. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ExportFile } from '../../modules/delivery/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Serve } from './envelope.ts'

/** A caller who reads nothing for so long has gone. */
const stalledMs = 60_000

const types = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' } as const

/** Serves them; an address that was not given out, or whose time is over, is 404. */
export const serveExports =
  (open: (path: string) => Promise<ExportFile | null>): Serve =>
  async ({ raw, response, url }) => {
    const file = await open(url.split('?')[0]!)
    if (file === null) throw new Refusal('not_found', {}, 'No such file: its time may be over')
    raw.resume()
    response.writeHead(200, {
      'content-type': types[file.format],
      'content-disposition': `attachment; filename="leads-${file.day}.${file.format}"`,
    })
    if (raw.method === 'HEAD') {
      response.end()
      return null
    }
    response.setTimeout(stalledMs, () => response.destroy())
    await pipeline(Readable.from(file.parts, { highWaterMark: 1 }), createGunzip(), response).catch(
      (error: unknown) => {
        if (!response.destroyed) throw error
      },
    )
    return null
  }
