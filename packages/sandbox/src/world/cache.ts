/** A map that forgets its least recently used entries beyond `limit`. */
export type Cache<K, V> = { get(key: K, make: () => V): V; clear(): void; size(): number }

/** Makes an empty bounded cache. */
export function createCache<K, V>(limit: number): Cache<K, V> {
  const entries = new Map<K, V>()
  return {
    get(key, make) {
      const known = entries.get(key)
      if (known !== undefined) {
        entries.delete(key)
        entries.set(key, known)
        return known
      }
      const made = make()
      entries.set(key, made)
      if (entries.size > limit) entries.delete(entries.keys().next().value as K)
      return made
    },
    clear: () => entries.clear(),
    size: () => entries.size,
  }
}
