/** What an API key looks like: `cs_`, 256 bits in base62, and a checksum that refuses a mistyped key without the database (AUT-04). */
import { crc32 } from 'node:zlib'
import { sha256 } from '../../platform/secrets.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'cs_'
const bodyLength = 43
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength + checksumLength}}$`)

/** Bytes an API key is made of. */
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

/** True for text in the form of a key with a right checksum; says nothing about whether such a key exists. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** The form in which lists show a key (G107): `cs_abc…wxyz`. */
export function maskKey(key: string): string {
  return `${key.slice(0, prefix.length + 3)}…${key.slice(-4)}`
}

/** What is stored of a key. A plain hash is enough for 256 random bits: there is nothing to guess. */
export function hashKey(key: string): Buffer {
  return sha256(key)
}
