/** Forward-only migrations at boot, under Kysely's lock, so that several first boots at once are safe. */
import { Migrator, type Migration } from 'kysely/migration'
import type { Kysely } from 'kysely'
import * as foundation from '../../../migrations/0001-foundation.ts'
import * as trackedPosts from '../../../migrations/0002-tracked-posts.ts'
import * as postsAndHolds from '../../../migrations/0003-posts-and-holds.ts'
import * as fitAndPush from '../../../migrations/0004-fit-and-push.ts'
import type { Database } from './schema.ts'

const migrations: Record<string, Migration> = { '0001-foundation': foundation, '0002-tracked-posts': trackedPosts, '0003-posts-and-holds': postsAndHolds, '0004-fit-and-push': fitAndPush }

/** Brings the schema up to date; throws with the failing migration's name, and refuses a schema newer than this program. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  throw new Error(failed ? `migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}` : `the database schema does not fit this program: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
