import { createGunzip } from 'node:zlib'
import type { ExportFile } from '../../modules/delivery/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Serve } from './envelope.ts'
import { streamAnswer } from './stream.ts'

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
