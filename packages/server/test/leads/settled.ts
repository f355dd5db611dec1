/** Waiting until places in lists are believed. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Reader } from '../../src/platform/db/unit-of-work.ts'

/**
 * Waits until all that was changed is older than every transaction under way, those of other databases of the server too: until then
 * a place is not believed, which is right and not what is shown here.
 */
export const settled = (db: Reader) =>
  expect
    .poll(
      async () =>
        (
          await sql<{ is: boolean }>`
            select coalesce(max(mark), 0) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is
            from list_change`.execute(db)
        ).rows[0]!.is,
      { interval: 5, timeout: 60_000 },
    )
    .toBe(true)
