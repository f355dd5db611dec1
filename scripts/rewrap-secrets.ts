/**
 * Changes the master key of a service with an external database: rewraps every team's data key and drops the keys of access
 * tokens. People must sign in again. Stop all processes, run this, then start them with the new LES_MASTER_KEY. Atomic and
 * repeatable.
 *
 *   DATABASE_URL=... LES_MASTER_KEY=<old> LES_NEW_MASTER_KEY=<new> node scripts/rewrap-secrets.ts
 */
import { readFileSync } from 'node:fs'
import { forgetSigningKeys } from '../packages/server/src/sign-in/index.ts'
import { resealMasterKeyCheck, rewrapDataKeys } from '../packages/server/src/modules/accounts/index.ts'
import { openDatabase } from '../packages/server/src/platform/db/open.ts'
import { makeUnitOfWork } from '../packages/server/src/platform/db/unit-of-work.ts'
import { machineIds } from '../packages/server/src/platform/random.ts'

function setting(name: string): string {
  const file = process.env[`${name}_FILE`]
  const value = process.env[name] ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim())
  if (!value) throw new Error(`${name} is not set`)
  return value
}

function masterKey(name: string): Buffer {
  const bytes = Buffer.from(setting(name), 'base64')
  if (bytes.length !== 32) throw new Error(`${name} must be 32 bytes in base64`)
  return bytes
}

async function run(): Promise<void> {
  const [connectionString, from, to] = [
    setting('DATABASE_URL'),
    masterKey('LES_MASTER_KEY'),
    masterKey('LES_NEW_MASTER_KEY'),
  ]
  const ids = machineIds()
  const database = openDatabase({ connectionString }, { poolSize: 1, onError: () => {} })
  try {
    const unitOfWork = makeUnitOfWork({
      db: database.bare,
      ids,
      serviceNow: async () => new Date(),
      wake: () => {},
      onEffectError: () => {},
    })
    const { rewrapped, already } = await unitOfWork(async (tx) => {
      await forgetSigningKeys(tx)
      const rewrapped = await rewrapDataKeys(tx, { from, to, randomBytes: ids.bytes })
      // After the teams: in a database without a key check, they show whether the old key is right.
      await resealMasterKeyCheck(tx, { from, to, randomBytes: ids.bytes })
      return rewrapped
    })
    console.log(`${rewrapped} teams wrapped by the new master key, ${already} were already`)
  } finally {
    await database.close()
  }
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
