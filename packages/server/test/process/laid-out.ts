/**
 * A data folder after a first start without demo data (cluster created, migrated, stopped), cached in `.cache/laid-out` by its
 * ingredients: it costs most of a first start's CPU time. `start.test.ts` and `dist.test.ts` show that a start does it by itself.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { copyFolder, temporaryFolder } from '../world/folder.ts'
import { madeOnce } from './made-once.ts'

/** In a folder that any user may enter: PostgreSQL does not run as root. */
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

/** Copies a laid-out data folder to a path that does not exist yet. */
export async function layOut(dataDir: string): Promise<void> {
  const folder = await madeOnce({
    name: 'laid-out',
    ingredients: ['packages/server/src/platform/db', 'packages/server/migrations', 'package-lock.json'],
    isMade: existsSync,
    make,
  })
  copyFolder(folder, dataDir)
}
