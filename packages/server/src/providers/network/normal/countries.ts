import { countryCode, countryIn, countryName } from '../../../platform/rules/countries.ts'
import { cleanTextOrNull } from '../../../platform/text.ts'

/** A country by its code, with the one name it is shown by; a place that no list knows has no code and keeps its words. */
export type Country = { readonly code: string | null; readonly name: string | null }

const nowhere: Country = { code: null, name: null }

/**
 * The country that a vendor means: by the first code that is one, else by the first text that names one, be it alone, in another
 * language or the end of a location. What vendors call a country differs; the code does not (G149).
 */
export function readCountry(raw: {
  readonly codes: readonly (string | null | undefined)[]
  readonly names: readonly (string | null | undefined)[]
  /** Where somebody is, in words: it may name a country, and is none itself. */
  readonly location?: string | null | undefined
}): Country {
  for (const code of raw.codes) {
    const found = countryCode(cleanTextOrNull(code, 10))
    if (found !== null) return { code: found, name: countryName(found) }
  }
  const names = raw.names.flatMap((name) => cleanTextOrNull(name, 100) ?? [])
  for (const name of [...names, cleanTextOrNull(raw.location, 200) ?? '']) {
    const found = countryIn(name)
    if (found !== null) return { code: found, name: countryName(found) }
  }
  return names[0] === undefined ? nowhere : { code: null, name: names[0] }
}
