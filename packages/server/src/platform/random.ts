/** The only sources of random numbers and ids; simulations replace them with seeded ones. */
import { randomBytes as cryptoBytes, randomInt } from 'node:crypto'

/** Random numbers for nothing secret: jitter and choices. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
}

/** Random numbers from the machine. */
export const machineRandom: Random = { next: () => randomInt(0, 2 ** 32) / 2 ** 32 }

export interface Ids {
  /** A version 7 UUID with `at` as its time part, so that rows made together are stored together. */
  uuid(at: Date): string
  /** Unpredictable bytes for keys and secrets. */
  bytes(count: number): Buffer
}

/** Builds a version 7 UUID from 48 bits of milliseconds and 10 random bytes. */
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

/** The last 48 random bits of a UUID of `uuidFrom`, as a practically unique number. */
export const chanceOf = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16)

/** The machine's ids. Ids made by one process at the same instant sort in the order they were made, also when several clocks alternate. */
export function machineIds(): Ids {
  let counter = randomInt(0, counterSize)
  return {
    uuid: (at) => {
      const random = cryptoBytes(10)
      counter = (counter + 1) % counterSize
      // A 26-bit counter after version and variant; on wrapping, once in 67 million ids, the order within an instant may break.
      random.writeUInt16BE(counter >>> 14, 0)
      random.writeUInt16BE(counter & 0x3fff, 2)
      return uuidFrom(at.getTime(), random)
    },
    bytes: (count) => cryptoBytes(count),
  }
}
