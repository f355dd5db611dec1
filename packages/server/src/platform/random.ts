/** The only sources of random numbers and of ids; a simulation replaces them by seeded ones. */
import { randomBytes as cryptoBytes, randomInt } from 'node:crypto'

/** Random numbers that decide nothing secret: jitter and picks. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
}

/** Random numbers from the machine. */
export const machineRandom: Random = { next: () => randomInt(0, 2 ** 32) / 2 ** 32 }

/** Makes ids and secrets. */
export interface Ids {
  /** A version 7 uuid whose time part is `at`, so that rows made together lie together. */
  uuid(at: Date): string
  /** Unpredictable bytes for keys and secrets. */
  bytes(count: number): Buffer
}

/** Lays out 16 bytes as a uuid of version 7: 48 bits of milliseconds, then chance. */
export function uuidFrom(atMs: number, random: Uint8Array): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, Math.floor(atMs)), 0, 6)
  bytes.set(random.subarray(0, 10), 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The instant that an id of `uuidFrom` was made for. */
export const madeAt = (uuid: string): Date => new Date(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16))

const counterSize = 2 ** 26

/** The 48 bits of chance at the end of an id of `uuidFrom`: a number that nobody else has. */
export const chanceOf = (uuid: string): number => Number.parseInt(uuid.slice(-12), 16)

/** Ids from the machine's own chance; those made at one instant keep their order, also when instants of several clocks mix. */
export function machineIds(): Ids {
  let counter = randomInt(0, counterSize)
  return {
    uuid: (at) => {
      const random = cryptoBytes(10)
      counter = (counter + 1) % counterSize
      // 26 bits behind the version and the variant count on; once in 67 million ids the order of one instant is by chance.
      random.writeUInt16BE(counter >>> 14, 0)
      random.writeUInt16BE(counter & 0x3fff, 2)
      return uuidFrom(at.getTime(), random)
    },
    bytes: (count) => cryptoBytes(count),
  }
}
