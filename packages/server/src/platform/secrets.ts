/** AES-256-GCM with random nonces. The master key wraps a data key per team; sealed values open only for their team and kind. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16

/** SHA-256. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}

/** HMAC-SHA256. */
export const hmacSha256 = (key: Uint8Array, data: string | Uint8Array): Buffer =>
  createHmac('sha256', key).update(data).digest()

/** HMAC-SHA256 of `head` and `tail`, without copying `tail`. */
export const hmacSha256Of = (
  key: Uint8Array,
  { head, tail }: { head: string; tail: Uint8Array },
  as: 'hex' | 'base64',
): string => createHmac('sha256', key).update(head).update(tail).digest(as)

type RandomBytes = (count: number) => Buffer

/** Layout: version, nonce, tag, ciphertext. */
function seal(key: Uint8Array, plain: Uint8Array, boundTo: string, randomBytes: RandomBytes): Buffer {
  const nonce = randomBytes(nonceBytes)
  if (nonce.length !== nonceBytes) throw new Error('a nonce has 12 bytes')
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), text])
}

/** Throws unless `seal` made the value with the same key and place. */
function open(key: Uint8Array, sealed: Uint8Array, boundTo: string): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes)
    throw new Error('not a sealed value of this service')
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
}

type Team = { readonly id: string; readonly dataKey: Uint8Array }

export type Vault = {
  newDataKey(teamId: string): Buffer
  /** Encrypts under the team's data key, bound to the team and `kind`. */
  sealFor(team: Team, kind: string, plain: string | Uint8Array): Buffer
  openFor(team: Team, kind: string, sealed: Uint8Array): Buffer
  /** 32 bytes for one purpose of a team; they survive a change of the master key, which only re-wraps the data key. */
  deriveFor(team: Team, purpose: string): Buffer
  /** 32 bytes for one purpose of the service (HKDF-SHA256); they depend on the master key and reveal nothing about it. */
  derive(purpose: string): Buffer
}

const dataKeyOf = (teamId: string) => `team|${teamId}|data-key`

/** Wraps a team's data key with another master key; null when it is already. Values sealed under the data key stay valid. */
export function rewrapDataKey(
  { id, dataKey }: Team,
  masters: { readonly from: Uint8Array; readonly to: Uint8Array },
  randomBytes: RandomBytes,
): Buffer | null {
  if (opens(masters.to, dataKey, dataKeyOf(id))) return null
  return seal(masters.to, open(masters.from, dataKey, dataKeyOf(id)), dataKeyOf(id), randomBytes)
}

function opens(key: Uint8Array, sealed: Uint8Array, boundTo: string): boolean {
  try {
    open(key, sealed, boundTo)
    return true
  } catch {
    return false
  }
}

const checkPlace = 'service|master-key-check'
const checkText = 'the master key opens this'

/** 12 hex digits that name a master key and reveal nothing about it. */
export const fingerprintOf = (masterKey: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'service|fingerprint', 6)).toString('hex')

/** A value by which `opensCheck` recognises this master key. */
export const sealCheck = (masterKey: Uint8Array, randomBytes: RandomBytes): Buffer =>
  seal(masterKey, Buffer.from(checkText), checkPlace, randomBytes)

/** True when `sealCheck` made the value under this master key. */
export const opensCheck = (masterKey: Uint8Array, sealed: Uint8Array): boolean => opens(masterKey, sealed, checkPlace)

/** Makes a vault over a 32-byte master key. */
export function makeVault(masterKey: Uint8Array, randomBytes: RandomBytes): Vault {
  if (masterKey.length !== 32) throw new Error('the master key has 32 bytes')
  const unwrap = ({ id, dataKey }: Team) => open(masterKey, dataKey, dataKeyOf(id))
  return {
    newDataKey: (teamId) => seal(masterKey, randomBytes(32), dataKeyOf(teamId), randomBytes),
    sealFor: (team, kind, plain) => {
      const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain
      return seal(unwrap(team), bytes, `team|${team.id}|${kind}`, randomBytes)
    },
    openFor: (team, kind, sealed) => open(unwrap(team), sealed, `team|${team.id}|${kind}`),
    deriveFor: (team, purpose) => Buffer.from(hkdfSync('sha256', unwrap(team), '', `team|${purpose}`, 32)),
    derive: (purpose) => Buffer.from(hkdfSync('sha256', masterKey, '', `service|${purpose}`, 32)),
  }
}
