/** Mail addresses in what is given as somebody's, however it is written: one that is not recognised would pass every list. */
import { decodeFully, withoutUnseen } from '@les/contract'

const atSigns = /[＠﹫]/gu
const fullStops = /[。．｡]/gu
const quotes = /["[\]]/g
/** Up to what no domain holds, such as the quote or the sign of HTML that stands behind an address. */
const address = /([^\s@<>(),;:?/‹›«»|\\]+)@([\p{L}\p{M}\p{N}._-]+)/gu
const signsBefore = /^[^\p{L}\p{N}]+/u
const signsBehind = /[._-]+$/

/** Each address of a text, as it is read by `readExclusionValue`; one that begins with a sign is given without it as well. */
export function mailsSaid(text: string): string[] {
  const plain = withoutUnseen(decodeFully(text)).replace(atSigns, '@').replace(fullStops, '.').replace(quotes, '')
  // A blank beside the sign is part of no address.
  const joined = plain
    .split('@')
    .map((part) => part.trim())
    .join('@')
  const found = [...joined.matchAll(address)].flatMap(([, name, written]) => {
    const domain = written!.replace(signsBehind, '')
    return [`${name}@${domain}`, `${name!.replace(signsBefore, '')}@${domain}`]
  })
  return [...new Set(found)]
}
