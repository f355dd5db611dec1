/**
 * Whether the master key is the one that this database was sealed under. A value sealed at the first start shows it at every later
 * one: a service under a wrong key would answer, and could open nothing (AUT-17).
 */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { fingerprintOf, opensCheck, sealCheck, rewrapDataKey } from '../../platform/secrets.ts'

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
    // Several processes may start for the first time at once: the first one stores its key, and all compare with that.
    await sql`insert into master_key_check (only_row, fingerprint, sealed)
      values (true, ${fingerprintOf(masterKey)}, ${sealCheck(masterKey, randomBytes)}) on conflict do nothing`.execute(
      db,
    )
    check = (await findCheck(db))!
  }
  if (!opensCheck(masterKey, check.sealed)) throw new Error(refusal(check.fingerprint, masterKey))
}

const refusal = (fingerprint: string, given: Uint8Array): string =>
  'The secrets in this database are sealed under another master key: ' +
  `expected the one with the fingerprint ${fingerprint}, got ${fingerprintOf(given)}. ` +
  'Set LES_MASTER_KEY to the key that was used before, ' +
  'or put the file master-key of the data folder back; scripts/rewrap-secrets.ts changes the key of a database'

/** The master key as it was and as it shall be, 32 bytes each. */
type MasterChange = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly randomBytes: (count: number) => Buffer
}

/** Seals the check anew under another master key; throws when it opens with neither of them. */
export async function resealMasterKeyCheck(tx: Tx, change: MasterChange): Promise<void> {
  const check = await findCheck(tx.db)
  if (check && !opensCheck(change.from, check.sealed) && !opensCheck(change.to, check.sealed))
    throw new Error(refusal(check.fingerprint, change.from))
  await sql`
    insert into master_key_check (only_row, fingerprint, sealed)
    values (true, ${fingerprintOf(change.to)}, ${sealCheck(change.to, change.randomBytes)})
    on conflict (only_row) do update set fingerprint = excluded.fingerprint, sealed = excluded.sealed`.execute(tx.db)
}

/**
 * Wraps every team's data key by the new master key, all or none; those it wraps already are left, so it can be run
 * again. Throws when one opens with neither.
 */
export async function rewrapDataKeys(tx: Tx, change: MasterChange): Promise<{ rewrapped: number; already: number }> {
  const teams = await tx.db.selectFrom('team').select(['id', 'data_key']).orderBy('id').forNoKeyUpdate().execute()
  let rewrapped = 0
  for (const team of teams) {
    const wrapped = rewrapDataKey({ id: team.id, dataKey: team.data_key }, change, change.randomBytes)
    if (wrapped === null) continue
    await tx.db.updateTable('team').set({ data_key: wrapped }).where('id', '=', team.id).execute()
    rewrapped += 1
  }
  return { rewrapped, already: teams.length - rewrapped }
}
