/** Secrets that an embedded service makes once and keeps in its data folder, readable by its user only. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

class LocalSecretError extends Error {
  override readonly name = 'LocalSecretError'
}

/** A secret file; `judge` says what is wrong with its text in words that follow "is", or null. */
export type LocalSecret = {
  readonly name: string
  readonly make: (bytes: (count: number) => Buffer) => string
  readonly judge: (text: string) => string | null
}

/** All of them but the embedded database's password (`db/embedded-cluster.ts`). */
export const localSecrets = {
  masterKey: {
    name: 'master-key',
    make: (bytes) => bytes(32).toString('base64'),
    judge: (text) => (Buffer.from(text, 'base64').length === 32 ? null : 'not a whole master key (32 bytes in base64)'),
  },
  operatorToken: {
    name: 'operator-token',
    make: (bytes) => bytes(24).toString('base64url'),
    judge: (text) => (/^[\x21-\x7e]{24,}$/.test(text) ? null : 'not a whole token (24 characters or more)'),
  },
} as const satisfies Readonly<Record<string, LocalSecret>>

/** Flushes a folder's entries to disk, where the file system can. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Writes and flushes a draft, and lets `settle` give it its final name. */
async function writeAtomically<T>(path: string, text: string, settle: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${text}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    const settled = await settle(draft)
    await syncFolder(dirname(path))
    return settled
  } finally {
    await rm(draft, { force: true })
  }
}

/** False when another process wrote the secret first; that one stays. */
async function keepSecret(dataDir: string, { name }: LocalSecret, text: string): Promise<boolean> {
  const path = join(dataDir, name)
  // `link`, not `rename`: it never replaces an existing file.
  return await writeAtomically(path, text, (draft) =>
    link(draft, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    ),
  )
}

/** Writes a file readable by its user only, whole or not at all, over an earlier one. */
export async function replaceSecret(dataDir: string, name: string, text: string): Promise<void> {
  const path = join(dataDir, name)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeAtomically(path, text, (draft) => rename(draft, path))
}

/** Reads a secret; null without one. Throws when it is empty, truncated or otherwise unusable. */
export async function readSecret(dataDir: string, { name, judge }: LocalSecret): Promise<string | null> {
  const path = join(dataDir, name)
  let text: string
  try {
    text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const fault = text === '' ? 'empty' : judge(text)
  if (fault === null) return text
  throw new LocalSecretError(
    `The file ${path} is ${fault}: put back the one of this data folder from a backup. ` +
      'Only if this service never ran before, delete the file and start again: a new one is made, ' +
      'and what was sealed or handed out under the old one is lost.',
  )
}

/** Reads the stored secret, or makes and stores one. */
export async function loadOrCreateSecret(
  dataDir: string,
  secret: LocalSecret,
  bytes: (count: number) => Buffer,
): Promise<string> {
  const kept = await readSecret(dataDir, secret)
  if (kept !== null) return kept
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const made = secret.make(bytes)
  if (await keepSecret(dataDir, secret, made)) return made
  return (await readSecret(dataDir, secret)) ?? made
}
