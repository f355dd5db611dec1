import { cleanTextOrNull } from '../../../platform/text.ts'

const ENGLISH = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Where the network's own English name is not the one of the Unicode tables. */
const NETWORK_NAMES: Readonly<Record<string, string>> = { HK: 'Hong Kong SAR', MO: 'Macao SAR', MM: 'Myanmar' }

/** An ISO 3166-1 alpha-2 code in upper case; null for what is none. */
export function countryCode(value: string | null | undefined): string | null {
  const code = cleanTextOrNull(value, 10)?.toUpperCase() ?? ''
  if (code === 'UK') return 'GB'
  return /^[A-Z]{2}$/.test(code) && ENGLISH.of(code) !== undefined ? code : null
}

/** A country's English name from its code; null for an unknown code. */
export function countryName(value: string | null | undefined): string | null {
  const code = countryCode(value)
  return code === null ? null : (NETWORK_NAMES[code] ?? ENGLISH.of(code) ?? null)
}
