/** `/downloads/`: what callers install without a registry (`npm install http://…/downloads/les-client.tgz`), and the checksums. */
import { readdirSync } from 'node:fs'
import { readOnce } from './read-once.ts'

/** A file as it is answered. */
export type Download = { readonly type: string; readonly body: Buffer; readonly etag: string }

/** The archives of a folder, by their addresses; read when they are first asked for. Without the folder there are none. */
export function makeDownloads(folder: string): {
  readonly paths: readonly string[]
  file(path: string): Promise<Download>
} {
  const names = listed(folder)
  const load = readOnce(folder)
  return {
    paths: names.map((name) => `/downloads/${name}`),
    file: async (path) => {
      const name = path.slice('/downloads/'.length)
      const type = name.endsWith('.tgz') ? 'application/gzip' : 'text/plain; charset=utf-8'
      return { type, ...(await load(name)) }
    },
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name === 'SHA256SUMS' || name.endsWith('.tgz'))
  } catch {
    return []
  }
}
