/** Finds mail addresses in a contact's mail field, however they are written: an address that is missed would pass every list. */
import { decodeFully, withoutUnseen } from '@les/contract'

const atSigns = /[＠﹫]/gu
const fullStops = /[。．｡]/gu
const quotes = /["[\]]/g
/** Stops at characters that no domain contains, such as a quote or `&gt;` after the address. */
const address = /([^\s@<>(),;:?/‹›«»|\\]+)@([\p{L}\p{M}\p{N}._-]+)/gu
const signsBefore = /^[^\p{L}\p{N}]+/u
const signsBehind = /[._-]+$/

/** All addresses in a text, as `readExclusionValue` takes them. One that begins with a sign is also returned without it. */
export function mailsSaid(text: string): string[] {
  const plain = withoutUnseen(decodeFully(text)).replace(atSigns, '@').replace(fullStops, '.').replace(quotes, '')
  // Blanks around `@` are not part of an address.
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
