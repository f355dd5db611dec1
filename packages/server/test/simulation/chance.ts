import { uuidFrom, type Random, type Ids } from '../../src/platform/random.ts'

/** A stream of random values, decided by its seed. */
export type Dice = Random & {
  random(p: number): boolean
  int(min: number, max: number): number
  pick<T>(from: readonly T[]): T
  /** One of the keys, with probability proportional to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  /** An independent stream: draws from it do not change this one. */
  fork(): Dice
}

/** Makes a stream (sfc32). */
export function makeDice(seed: number): Dice {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, seed | 0, Math.floor(seed / 2 ** 32) | 1]
  const word = (): number => {
    const t = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 12; i++) word()
  const dice: Dice = {
    next: () => word() / 2 ** 32,
    random: (p) => dice.next() < p,
    int: (min, max) => min + Math.floor(dice.next() * (max - min + 1)),
    pick: (from) => from[dice.int(0, from.length - 1)]!,
    weighted: (weights) => {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = dice.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) if ((left -= weight) < 0) return key
      return entries[0]![0]
    },
    fork: () => makeDice(word() * 2 ** 21 + (word() >>> 11)),
  }
  return dice
}

/** Ids from the stream; ids of the same instant are ordered, as real ones are. */
export function seededIds(dice: Dice): Ids {
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => dice.int(0, 255)))
  const made = new Map<number, number>()
  return {
    uuid: (at) => {
      const ms = at.getTime()
      const random = bytes(10)
      const counter = made.get(ms) ?? 0
      made.set(ms, counter + 1)
      random.writeUInt16BE(counter & 0x0fff, 0)
      return uuidFrom(ms, random)
    },
    bytes,
  }
}
