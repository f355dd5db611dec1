const PLAIN: Record<string, string> = { ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', ı: 'i', đ: 'd', ð: 'd', þ: 'th', œ: 'oe' }

/** A slug as the network writes it: lower-case ASCII letters, digits and single dashes. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøßæıđðþœ]/g, (char) => PLAIN[char] ?? '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}

const REMEMBERED = 50_000

/** Names that do not exist in any world. */
export function isAbsent(name: string): boolean {
  return name.startsWith('nobody-') || name.startsWith('missing-')
}

/** Stores a value; beyond a limit the oldest is forgotten. */
export function remember(map: Map<string, string>, key: string, value: string): void {
  map.set(key, value)
  if (map.size > REMEMBERED) map.delete(map.keys().next().value as string)
}
