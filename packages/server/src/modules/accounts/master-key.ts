/**
 * Whether the master key is the one that this database was sealed under. A value sealed at the first start shows it at every later
 * one: a service under a wrong key would answer, and could open nothing (AUT-17).
 */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { fingerprintOf, opensCheck, opensDataKey, sealCheck } from '../../platform/secrets.ts'

type Check = { readonly fingerprint: string; readonly sealed: Buffer }

const findCheck = async (db: Kysely<Database>): Promise<Check | undefined> =>
  (await sql<Check>`select fingerprint, sealed from master_key_check`.execute(db)).rows[0]

/** Refuses a master key that the database was not sealed under; a database that knows none yet keeps this one. */
export async function checkMasterKey(
  db: Kysely<Database>,
  masterKey: Uint8Array,
  randomBytes: (count: number) => Buffer,
): Promise<void> {
  let check = await findCheck(db)
  if (!check) {
    // Of a database from before there was a check, a team tells it.
    const team = await db.selectFrom('team').select(['id', 'data_key']).orderBy('id').limit(1).executeTakeFirst()
    if (team && !opensDataKey(masterKey, { id: team.id, dataKey: team.data_key }))
      throw new Error(refusal('another one', masterKey))
    // Several may start at once for the first time: one of them is first, and all look at what it has stored.
    await sql`insert into master_key_check (only_row, fingerprint, sealed)
      values (true, ${fingerprintOf(masterKey)}, ${sealCheck(masterKey, randomBytes)}) on conflict do nothing`.execute(
      db,
    )
    check = (await findCheck(db))!
  }
  if (!opensCheck(masterKey, check.sealed))
    throw new Error(refusal(`the one with the fingerprint ${check.fingerprint}`, masterKey))
}

const refusal = (expected: string, given: Uint8Array): string =>
  'The secrets in this database are sealed under another master key: ' +
  `expected ${expected}, got ${fingerprintOf(given)}. Set LES_MASTER_KEY to the key that was used before, ` +
  'or put the file master-key of the data folder back; scripts/rewrap-secrets.ts changes the key of a database'

/** Seals the check anew under another master key; throws when it opens with neither of them. */
export async function resealMasterKeyCheck(
  tx: Tx,
  change: { readonly from: Uint8Array; readonly to: Uint8Array; readonly randomBytes: (count: number) => Buffer },
): Promise<void> {
  const check = await findCheck(tx.db)
  if (check && !opensCheck(change.from, check.sealed) && !opensCheck(change.to, check.sealed))
    throw new Error(refusal(`the one with the fingerprint ${check.fingerprint}`, change.from))
  await sql`
    insert into master_key_check (only_row, fingerprint, sealed)
    values (true, ${fingerprintOf(change.to)}, ${sealCheck(change.to, change.randomBytes)})
    on conflict (only_row) do update set fingerprint = excluded.fingerprint, sealed = excluded.sealed`.execute(tx.db)
}
