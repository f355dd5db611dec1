/** The master key in a file that only a passphrase opens: a backup without the key is rows whose secrets nobody can read. */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** Where it lies in a backup. */
export const sealedKeyName = 'master-key.sealed'

/** Fewer characters than this can be guessed by whoever has the file. */
export const leastPassphrase = 16

const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 1024 * 1024 }
const stretch = promisify(scrypt) as (
  passphrase: string,
  salt: Uint8Array,
  bytes: number,
  options: typeof cost,
) => Promise<Buffer>

/** Seals a key; throws for a passphrase that is too short. */
export async function sealKey(
  key: Uint8Array,
  passphrase: string,
  randomBytes: (count: number) => Buffer,
): Promise<string> {
  if (passphrase.length < leastPassphrase)
    throw new Error(`the passphrase must be at least ${leastPassphrase} characters long`)
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await stretch(passphrase, salt, 32, cost), nonce)
  const sealed = Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()])
  return `les-master-key-1 ${salt.toString('base64')} ${nonce.toString('base64')} ${sealed.toString('base64')}\n`
}

/** Opens a sealed key; throws for another passphrase and for a file that was changed. */
export async function openKey(text: string, passphrase: string): Promise<Buffer> {
  const [kind, salt, nonce, sealed] = text.trim().split(' ')
  if (kind !== 'les-master-key-1' || sealed === undefined) throw new Error(`${sealedKeyName} is damaged`)
  const bytes = Buffer.from(sealed, 'base64')
  const key = await stretch(passphrase, Buffer.from(salt!, 'base64'), 32, cost)
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce!, 'base64'))
  decipher.setAuthTag(bytes.subarray(-16))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()])
  } catch {
    throw new Error(`${sealedKeyName} does not open with this passphrase, or was changed`)
  }
}
