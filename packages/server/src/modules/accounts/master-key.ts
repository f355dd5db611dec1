/** Checks at start that the master key is the database's: with a wrong one the service runs but opens no secret (AUT-17). */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import { queryOne } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { fingerprintOf, opensCheck, sealCheck, rewrapDataKey } from '../../platform/secrets.ts'

type Check = { readonly fingerprint: string; readonly sealed: Buffer }

const findCheck = (db: Kysely<Database>) => queryOne<Check>(db)`select fingerprint, sealed from master_key_check`

/** Throws if the database was sealed under another master key; a new database stores a check for this one. */
export async function checkMasterKey(
  db: Kysely<Database>,
  masterKey: Uint8Array,
  randomBytes: (count: number) => Buffer,
): Promise<void> {
  let check = await findCheck(db)
  if (!check) {
    // Several processes may start for the first time at once: the first stores the check, and all compare with it.
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

/** Old and new master key, 32 bytes each. */
type MasterChange = {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly randomBytes: (count: number) => Buffer
}

/** Seals the check under a new master key; throws when neither key opens it. */
export async function resealMasterKeyCheck(tx: Tx, change: MasterChange): Promise<void> {
  const check = await findCheck(tx.db)
  if (check && !opensCheck(change.from, check.sealed) && !opensCheck(change.to, check.sealed))
    throw new Error(refusal(check.fingerprint, change.from))
  await sql`
    insert into master_key_check (only_row, fingerprint, sealed)
    values (true, ${fingerprintOf(change.to)}, ${sealCheck(change.to, change.randomBytes)})
    on conflict (only_row) do update set fingerprint = excluded.fingerprint, sealed = excluded.sealed`.execute(tx.db)
}

/** Wraps all teams' data keys with the new master key, all or none; can be repeated. Throws when neither key opens one. */
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
