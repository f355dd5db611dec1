/**
 * A data folder as a start leaves it that seeded nobody: the cluster made, every migration applied, the server stopped. Most of what a
 * first start costs the processor is these two, so that tests which are about something else begin with a copy. Made once for what it is
 * made of, in `.cache/laid-out`. That a start makes all of it by itself is shown by `start.test.ts` and `dist.test.ts`.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { copyFolder, temporaryFolder } from '../world/folder.ts'
import { madeOnce } from './made-once.ts'

/** In a folder that any user may enter: the server of a cluster made by root is not root's. */
async function make(folder: string): Promise<void> {
  const area = await temporaryFolder('les-laid-out-')
  try {
    const dataDir = join(area, 'data')
    const server = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } })
    const database = openDatabase(server.connection, { poolSize: 1, onError: () => {} })
    await migrate(database.bare).finally(() => database.close())
    await server.stop()
    const draft = `${folder}.draft`
    await rm(draft, { recursive: true, force: true })
    copyFolder(dataDir, draft)
    await rename(draft, folder)
  } finally {
    await rm(area, { recursive: true, force: true })
  }
}

/** Lays one out in a folder that is not there yet. */
export async function layOut(dataDir: string): Promise<void> {
  const folder = await madeOnce({
    name: 'laid-out',
    ingredients: ['packages/server/src/platform/db', 'packages/server/migrations', 'package-lock.json'],
    isMade: existsSync,
    make,
  })
  copyFolder(folder, dataDir)
}
