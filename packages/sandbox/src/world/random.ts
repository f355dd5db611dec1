/** A reproducible stream of random numbers. */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** In [0, below). */
  int(below: number): number
  /** In [min, max]. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** A 32-bit hash; each salt gives another. */
export function hash32(text: string, salt = 0): number {
  let h = (0x811c9dc5 ^ Math.imul(salt + 1, 0x9e3779b1)) >>> 0
  for (let i = 0; i < text.length; i += 1) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
    h ^= h >>> 13
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The stream of these parts (sfc32 seeded by four hashes). */
export function randomFrom(...parts: Array<string | number>): Random {
  const text = parts.join('\u0001')
  let a = hash32(text, 1)
  let b = hash32(text, 2)
  let c = a ^ Math.imul(b, 0x27d4eb2f)
  let d = 1
  const raw = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 8; i += 1) raw()
  const next = (): number => raw() / 4294967296
  const int = (below: number): number => Math.floor(next() * below)
  return {
    next,
    int,
    between: (min, max) => min + int(max - min + 1),
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[int(list.length)] as T,
  }
}

/** Picks an entry by weight; `total` is the sum of all weights. */
export function pickWeighted<T extends { weight: number }>(random: Random, list: readonly T[], total: number): T {
  let left = random.next() * total
  for (const entry of list) {
    left -= entry.weight
    if (left < 0) return entry
  }
  return list[list.length - 1] as T
}
