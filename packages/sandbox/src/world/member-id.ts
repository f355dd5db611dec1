import { hash32, randomFrom } from './random.ts'

const PREFIX = 'ACoAA'
const PAYLOAD = 20
const ALPHABET = '-0123456789abcdefghijklmnopqrstuvwxyz_'
const MAX_EMBEDDED = 30

/** What a member id encodes: a population index, a handle, or the hash of a handle that is too long. */
export type MemberIdContent = { index: number } | { handle: string } | { hashed: true }

export function memberIdOfIndex(index: number): string {
  const payload = Buffer.alloc(PAYLOAD)
  payload.writeUInt32BE(index, 0)
  return seal(0, payload)
}

/** The member id of a handle: contains it if it has at most 30 plain characters, else its hash. */
export function memberIdOfHandle(handle: string): string {
  const payload = Buffer.alloc(PAYLOAD)
  if (handle.length > MAX_EMBEDDED || !/^[-0-9a-z_]+$/.test(handle)) {
    for (let i = 0; i < PAYLOAD / 4; i += 1) payload.writeUInt32BE(hash32(handle, 100 + i), i * 4)
    return seal(255, payload)
  }
  let number = 0n
  for (const char of handle) number = number * 38n + BigInt(ALPHABET.indexOf(char))
  for (let i = PAYLOAD - 1; i >= 0; i -= 1) {
    payload[i] = Number(number & 255n)
    number >>= 8n
  }
  return seal(handle.length, payload)
}

/** Decodes an id made here; undefined for any other text. */
export function readMemberId(id: string): MemberIdContent | undefined {
  if (!id.startsWith(PREFIX) || id.length !== 39) return undefined
  const bytes = Buffer.from(id.slice(PREFIX.length), 'base64url')
  if (bytes.length !== 25) return undefined
  const tag = bytes.readUInt32BE(0)
  const plain = scramble(bytes.subarray(4), tag)
  if (tagOf(plain) !== tag) return undefined
  const kind = plain[0] as number
  if (kind === 0) return { index: plain.readUInt32BE(1) }
  if (kind === 255) return { hashed: true }
  let number = 0n
  for (const byte of plain.subarray(1)) number = (number << 8n) | BigInt(byte)
  let handle = ''
  for (let i = 0; i < kind; i += 1) {
    handle = ALPHABET.charAt(Number(number % 38n)) + handle
    number /= 38n
  }
  return { handle }
}

/** True when a text has the form of a member id, and so is not a handle. */
export function looksLikeMemberId(text: string): boolean {
  return /^AC[A-Za-z]A[A-Za-z0-9_-]{30,94}$/.test(text)
}

function seal(kind: number, payload: Buffer): string {
  const plain = Buffer.concat([Buffer.of(kind), payload])
  const tag = tagOf(plain)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(tag, 0)
  return PREFIX + Buffer.concat([head, scramble(plain, tag)]).toString('base64url')
}

function tagOf(plain: Buffer): number {
  return hash32(plain.toString('latin1'), 7)
}

function scramble(bytes: Buffer, tag: number): Buffer {
  const random = randomFrom('member', tag)
  const out = Buffer.alloc(bytes.length)
  for (let i = 0; i < bytes.length; i += 1) out[i] = (bytes[i] as number) ^ random.int(256)
  return out
}
