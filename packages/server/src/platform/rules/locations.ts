import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import { withoutUnseen } from '@les/contract'
import { betweenParts, countryCode, countryIn, countryNamed, type CountryCode } from './countries.ts'
import { stateCodes } from './country-lists.ts'

const byLongCode: ReadonlyMap<string, CountryCode> = new Map(
  (codes as readonly (readonly string[])[]).map(([short, long]) => [long!, short!]),
)

const longCode = (text: string): CountryCode | null => byLongCode.get(text.trim().toUpperCase()) ?? null

const flags = /[\u{1f1e6}-\u{1f1ff}]{2}/gu
const letterOf = (sign: string): string => String.fromCodePoint(sign.codePointAt(0)! - 0x1f1e6 + 0x41)
const countryOfFlag = (flag: string): CountryCode | null => countryCode([...flag].map(letterOf).join(''))

/** Empty when a part is a state's code: other parts may then be towns with a country's name. */
function countriesOfParts(parts: readonly string[]): readonly (CountryCode | null)[] {
  if (parts.some((part) => stateCodes.has(part.trim()))) return []
  return parts.map((part) => countryNamed(part) ?? longCode(part))
}

/** Every country a free-text location may mean, by name, code or flag, for where missing one would let a person through. */
export function countriesSaid(location: string): readonly CountryCode[] {
  const text = withoutUnseen(location)
  const said = [
    countryNamed(text) ?? longCode(text),
    countryIn(text),
    ...countriesOfParts(text.split(betweenParts)),
    ...(text.match(flags) ?? []).map(countryOfFlag),
  ]
  return [...new Set(said.flatMap((code) => code ?? []))]
}
