/** What the directory does with any name that it is asked for. */

const REMEMBERED = 50_000

/** Names of which the world has nobody. */
export function isAbsent(name: string): boolean {
  return name.startsWith('nobody-') || name.startsWith('missing-')
}

/** Notes a value, and forgets the oldest of very many. */
export function remember(map: Map<string, string>, key: string, value: string): void {
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value as string)
}
