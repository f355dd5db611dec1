/** The database, and the key that seals what is kept in it. */
import { text, url, type Reading } from './reading.ts'

/** Where the database is. `external` is true as soon as one of one's own is named, also when its address is malformed. */
export type DatabaseSettings = {
  readonly databaseUrl: string | null
  readonly databaseDirectUrl: string | undefined
  readonly databaseReplicaUrl: string | undefined
  readonly external: boolean
}

/** A database of one's own; none named means the embedded one. */
export function database(reading: Reading): DatabaseSettings {
  const databaseUrl = url(reading, 'DATABASE_URL', ['postgres:', 'postgresql:']) ?? null
  const databaseDirectUrl = url(reading, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'])
  const databaseReplicaUrl = url(reading, 'DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'])
  // Also when it is malformed: what comes with it is judged all the same.
  const external = Boolean(reading.env.DATABASE_URL || reading.env.DATABASE_URL_FILE)
  for (const [name, value] of Object.entries({
    DATABASE_DIRECT_URL: databaseDirectUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  })) {
    if (value !== undefined && !external)
      reading.mistakes.push(`${name} is set without DATABASE_URL: set both, or neither for the embedded database`)
  }
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl, external }
}

/** 32 bytes in base64: required with a database of one's own, made at the first start without. */
export function masterKey(reading: Reading, external: boolean): Buffer | null {
  const value = text(reading, 'LES_MASTER_KEY')
  if (value === undefined) {
    if (external)
      reading.mistakes.push(
        'LES_MASTER_KEY is required with DATABASE_URL: 32 random bytes in base64, for example from `openssl rand -base64 32`',
      )
    return null
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length !== 32) reading.mistakes.push('LES_MASTER_KEY must be 32 bytes in base64')
  return bytes
}
