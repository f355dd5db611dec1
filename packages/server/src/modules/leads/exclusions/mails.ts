/** Mail addresses in what is given as somebody's, however it is written: one that is not recognised would pass every list. */
import { decodeFully, withoutUnseen } from '@les/contract'

const fullStops = /[。．｡]/gu
const quotes = /["[\]]/g
const betweenAddresses = /[\s<>(),;:?/‹›«»]+/u

/** Each address of a text, as it is read by `readExclusionValue`. */
export function mailsSaid(text: string): string[] {
  const plain = withoutUnseen(decodeFully(text)).replaceAll('＠', '@').replace(fullStops, '.').replace(quotes, '')
  // A blank beside the sign is part of no address.
  const joined = plain
    .split('@')
    .map((part) => part.trim())
    .join('@')
  return joined
    .split(betweenAddresses)
    .filter((word) => word.includes('@'))
    .map((word) => (word.endsWith('.') ? word.slice(0, -1) : word))
}
