/** API keys: `cs_`, 256 bits in base62, and a checksum that rejects mistyped keys without a database query (AUT-04). */
import { crc32 } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'cs_'
const bodyLength = 43
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength + checksumLength}}$`)

export const keyBytes = 32

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = alphabet[Number(rest % 62n)]! + text
  return text.padStart(length, '0')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

/** Writes 32 random bytes as a key. */
export function formatKey(bytes: Uint8Array): string {
  if (bytes.length !== keyBytes) throw new Error(`a key is made of ${keyBytes} bytes`)
  const text = prefix + base62(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), bodyLength)
  return text + checksum(text)
}

/** Whether text has a key's form and a valid checksum; the key need not exist. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** A key as lists show it (G107): `cs_abc…wxyz`. */
export function maskKey(key: string): string {
  return `${key.slice(0, prefix.length + 3)}…${key.slice(-4)}`
}

/** The stored hash of a key. It needs no salt or slow hash, because 256 random bits cannot be guessed. */
export function hashKey(key: string): Buffer {
  return sha256(key)
}
