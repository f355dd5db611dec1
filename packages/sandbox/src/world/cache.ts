/** An LRU cache of `limit` entries. */
export function createCache<K, V>(limit: number) {
  const entries = new Map<K, V>()
  return {
    get(key: K, make: () => V): V {
      const known = entries.get(key)
      const value = known ?? make()
      if (known !== undefined) entries.delete(key)
      entries.set(key, value)
      if (entries.size > limit) entries.delete(entries.keys().next().value as K)
      return value
    },
    clear: () => entries.clear(),
  }
}
