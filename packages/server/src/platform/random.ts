/** The only sources of randomness and ids; simulations replace them. */
import { randomBytes as cryptoBytes, randomInt } from 'node:crypto'

export interface Random {
  /** A number in [0, 1). */
  next(): number
}

export const machineRandom: Random = { next: () => randomInt(0, 2 ** 32) / 2 ** 32 }

export interface Ids {
  /** A version 7 UUID of the instant `at`, so that rows made together are stored together. */
  uuid(at: Date): string
  /** Unpredictable, for keys and secrets. */
  bytes(count: number): Buffer
}

/** A version 7 UUID from milliseconds and 10 random bytes. */
export function uuidFrom(atMs: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, Math.floor(atMs)), 0, 6)
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The instant in a UUID of `uuidFrom`. */
export const madeAt = (uuid: string): Date => new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16))

const counterSize = 2 ** 26

/** The last 48 random bits of a UUID of `uuidFrom`: practically unique. */
export const randomPartOf = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16)

/** Ids of one process and instant sort in the order they were made, also when several clocks alternate. */
export function machineIds(): Ids {
  let counter = randomInt(0, counterSize)
  return {
    uuid: (at) => {
      const random = cryptoBytes(10)
      counter = (counter + 1) % counterSize
      // A 26-bit counter follows version and variant; when it wraps around, the order within an instant may break.
      random.writeUInt16BE(counter >>> 14, 0)
      random.writeUInt16BE(counter & 0x3fff, 2)
      return uuidFrom(at.getTime(), random)
    },
    bytes: (count) => cryptoBytes(count),
  }
}
