/** Secrets that an embedded service makes once and keeps in its data folder, readable by its user alone. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads a kept secret, or keeps the one that `make` makes. */
export async function loadOrCreateSecret(dataDir: string, name: string, make: () => string): Promise<string> {
  const path = join(dataDir, name)
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(dataDir, { recursive: true })
  // `wx`: another process that was faster wins, and both use its secret.
  await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(path, 'utf8')).trim()
}
