/** Values by key, made when first asked for; with a `limit` it forgets what was used longest ago. */
export function createCache<K, V>(limit = Infinity) {
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
    size: () => entries.size,
    clear: () => entries.clear(),
  }
}
