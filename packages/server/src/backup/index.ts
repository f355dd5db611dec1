/** `les-server backup` and `les-server restore`. */
import { access, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readProcessConfig } from '../config/env.ts'
import type { Config } from '../config/config.ts'
import { checkMasterKey } from '../modules/accounts/index.ts'
import { systemClock } from '../platform/clock.ts'
import { clientConfig, openDatabase } from '../platform/db/open.ts'
import { keepSecret, localSecrets } from '../platform/local-secrets.ts'
import { machineIds } from '../platform/random.ts'
import { fingerprintOf } from '../platform/secrets.ts'
import type { Manifest } from './manifest.ts'
import { findDatabase, findMasterKey } from './place.ts'
import { letIn } from './let-in.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { openKey, sealedKeyName, sealKey } from './sealed-key.ts'
import { takeBackup } from './take.ts'

type Write = (text: string) => void

/** A command line that makes no sense; told with how to write it. */
class Usage extends Error {}

const usage = {
  backup: `les-server backup --to FOLDER [--key-passphrase-file FILE]: takes a backup while the service runs

  FOLDER is made; it must not be there yet. It holds every row, and with a passphrase the master key, sealed.
`,
  restore: `les-server restore --from FOLDER [--key-passphrase-file FILE] [--check] [--key-to FILE]: puts a backup into an empty database

  --check   only reads the backup and says whether it is whole
  --key-to  only writes the master key of the backup, opened by the passphrase, to FILE, which must not be there yet:
            where the machine is lost, a service with DATABASE_URL wants it before anything else
`,
} as const

function optionsOf(name: 'backup' | 'restore', words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        [name === 'backup' ? 'to' : 'from']: { type: 'string' },
        'key-passphrase-file': { type: 'string' },
        'key-to': { type: 'string' },
        check: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    return values as Partial<Record<'to' | 'from' | 'key-passphrase-file' | 'key-to', string>> & {
      check?: boolean
      help?: boolean
    }
  } catch (error) {
    throw new Usage(`${(error as Error).message}\n\n${usage[name]}`)
  }
}

const passphraseIn = async (file: string | undefined): Promise<string | null> =>
  file === undefined ? null : (await readFile(file, 'utf8')).replace(/\r?\n$/, '')

const missingKey = (fingerprint: string | null): string =>
  `THE MASTER KEY IS NOT IN THIS BACKUP${fingerprint === null ? '' : ` (fingerprint ${fingerprint})`}. ` +
  'Without it the stored credentials, signing secrets and sign-ins of the restored service cannot be opened. ' +
  'Keep LES_MASTER_KEY (or the file master-key of the data folder) in another place, ' +
  'or take the backup with --key-passphrase-file.\n'

const counted = ({ tables }: Manifest): string =>
  `${tables.reduce((sum, { rows }) => sum + rows, 0)} rows of ${tables.length} tables`

/** Takes a backup of the service whose settings these are. */
export async function backup(
  config: Config,
  { to, passphrase }: { readonly to: string; readonly passphrase: string | null },
  write: Write,
): Promise<Manifest> {
  if (
    await access(to).then(
      () => true,
      () => false,
    )
  )
    throw new Error(`${to} is there already: name a folder that is not`)
  const key = await findMasterKey(config)
  if (passphrase !== null && key === null)
    throw new Error('there is no master key to seal: set LES_MASTER_KEY to the one of the service')
  const sealed = passphrase === null ? null : await sealKey(key!, passphrase, machineIds().bytes)
  const place = await findDatabase(config)
  const client = new pg.Client(clientConfig(place.connection))
  try {
    await client.connect()
    const fingerprint = key === null ? null : fingerprintOf(key)
    const manifest = await takeBackup({
      client,
      to,
      madeAt: new Date(systemClock.nowMs()),
      files: sealed === null ? {} : { [sealedKeyName]: sealed },
      masterKey: { fingerprint, sealedIn: sealed === null ? null : sealedKeyName },
    })
    write(`${to}: ${counted(manifest)}, as of ${manifest.madeAt}\n`)
    write(
      sealed === null
        ? missingKey(fingerprint)
        : `The master key is in it, sealed by the passphrase: keep that in another place.\n`,
    )
    return manifest
  } finally {
    await client.end().catch(() => {})
    await place.close()
  }
}

/** The key a restored service needs: from the backup when it is there and the passphrase is given, else the one of this place. */
async function keyFor({
  config,
  from,
  manifest,
  passphrase,
}: {
  readonly config: Config
  readonly from: string
  readonly manifest: Manifest
  readonly passphrase: string | null
}): Promise<Buffer | null> {
  const { sealedIn, fingerprint } = manifest.masterKey
  const present = await findMasterKey(config)
  const key =
    sealedIn === null || passphrase === null
      ? present
      : await openKey(await readFile(join(from, sealedIn), 'utf8'), passphrase)
  for (const each of [key, present])
    if (each !== null && fingerprint !== null && fingerprintOf(each) !== fingerprint)
      throw new Error(
        `The master key of this place has the fingerprint ${fingerprintOf(each)}, ` +
          `the backup was sealed under ${fingerprint}: set LES_MASTER_KEY to that one` +
          `${config.databaseUrl === null ? ', or remove the file master-key of the data folder' : ''}`,
      )
  return key
}

/** Writes the master key of a backup to a file of its own; asks for no settings, which cannot be whole without it. */
async function writeKey({
  from,
  passphrase,
  to,
  write,
}: {
  readonly from: string
  readonly passphrase: string
  readonly to: string
  readonly write: Write
}): Promise<void> {
  const { sealedIn, fingerprint } = (await checkBackup(from)).masterKey
  if (sealedIn === null) throw new Error('the master key is not in this backup')
  const key = await openKey(await readFile(join(from, sealedIn), 'utf8'), passphrase)
  await writeFile(to, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  write(`The master key (fingerprint ${fingerprint ?? fingerprintOf(key)}) is in ${to}.\n`)
}

/** An embedded service finds its key in the data folder. */
async function keepKey(config: Config, key: Buffer): Promise<void> {
  if (config.databaseUrl !== null || (await findMasterKey(config)) !== null) return
  await keepSecret(config.dataDir, localSecrets.masterKey, key.toString('base64'))
}

/** Restores a backup into the empty database of these settings. */
export async function restore(
  config: Config,
  { from, passphrase }: { readonly from: string; readonly passphrase: string | null },
  write: Write,
): Promise<{ readonly manifest: Manifest; readonly key: Buffer | null }> {
  const manifest = await checkBackup(from)
  // Before any row: whoever has the wrong key finds an empty database, and can begin again.
  const key = await keyFor({ config, from, manifest, passphrase })
  const place = await findDatabase(config)
  const database = openDatabase(place.connection, { poolSize: 2, onError: () => {} })
  try {
    await restoreBackup(database, { folder: from, manifest, isBackInTime: true })
    write(`restored ${counted(manifest)}, as of ${manifest.madeAt}\n`)
    write(await letIn(database))
    if (key === null) write(missingKey(manifest.masterKey.fingerprint))
    else {
      await keepKey(config, key)
      await checkMasterKey(database.bare, key, machineIds().bytes)
      write('The master key opens what is sealed in it.\n')
    }
    return { manifest, key }
  } finally {
    await database.close()
    await place.close()
  }
}

async function run(name: 'backup' | 'restore', words: readonly string[], write: Write): Promise<number> {
  const options = optionsOf(name, words)
  if (options.help) {
    write(usage[name])
    return 0
  }
  const folder = options.to ?? options.from
  if (folder === undefined) throw new Usage(usage[name])
  if (options.check === true) {
    const manifest = await checkBackup(resolve(folder))
    write(`${folder} is whole: ${counted(manifest)}, as of ${manifest.madeAt}\n`)
    return 0
  }
  const passphrase = await passphraseIn(options['key-passphrase-file'])
  if (name === 'restore' && options['key-to'] !== undefined) {
    if (passphrase === null) throw new Usage(`--key-to needs --key-passphrase-file\n\n${usage.restore}`)
    await writeKey({ from: resolve(folder), passphrase, to: resolve(options['key-to']), write })
    return 0
  }
  const config = readProcessConfig()
  if (name === 'backup') await backup(config, { to: resolve(folder), passphrase }, write)
  else await restore(config, { from: resolve(folder), passphrase }, write)
  return 0
}

/** Runs one of the two; answers 0, 1 when it failed, 2 when the command makes no sense. */
export async function runBackupCommand(
  name: 'backup' | 'restore',
  words: readonly string[],
  { out, err }: { readonly out: Write; readonly err: Write },
): Promise<number> {
  return run(name, words, out).catch((error: unknown) => {
    err(
      error instanceof Usage
        ? error.message
        : `les-server ${name}: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    return error instanceof Usage ? 2 : 1
  })
}
