/** Files of a folder, read once and kept with their tags: however many ask at once, there is one copy. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../platform/secrets.ts'

/** A file and its tag. */
type Tagged = { readonly body: Buffer; readonly etag: string }

/** Reads files of a folder, each when it is first asked for. */
export function readOnce(folder: string): (name: string) => Promise<Tagged> {
  const read = new Map<string, Promise<Tagged>>()
  return (name) => {
    const known =
      read.get(name) ??
      readFile(join(folder, name)).then((body) => ({
        body,
        etag: `"${sha256(body).toString('base64url').slice(0, 27)}"`,
      }))
    read.set(name, known)
    // What could not be read is read again: the machine may have had no place for one more open file.
    known.catch(() => read.delete(name))
    return known
  }
}
