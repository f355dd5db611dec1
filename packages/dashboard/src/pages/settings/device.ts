const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^les-cli|curl|node/i, 'Command line'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
]

/** The browser and system that a user agent names, in words. */
export function deviceOf(userAgent: string | null | undefined): { readonly name: string; readonly phone: boolean } {
  const text = userAgent ?? ''
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(text))?.[1]
  const parts = [named(browsers), named(systems)].filter((part) => part !== undefined)
  return { name: parts.length > 0 ? parts.join(' on ') : 'Unknown device', phone: /iPhone|Android.*Mobile/.test(text) }
}
