/** Names as a platform needs them: in two parts, neither empty. */
import { readProfileUrl } from './profiles.ts'

/** Stands for a part that nobody knows: a person of one name has it as their last. */
const noLastName = '-'
/** Reads well after a greeting. */
const noFirstName = 'there'

/**
 * Splits a full name at its first space: a lead without either part is dropped by the platform without a word. A single name gets
 * `-` as its last; who has no name at all is called by the words of the handle, else `there`.
 */
export function splitName(name: string | null, profileUrl: string): { firstName: string; lastName: string } {
  const words = (name ?? '').split(/\s/).filter((word) => word !== '')
  const [first = noFirstName, ...rest] = words.length > 0 ? words : wordsOfHandle(profileUrl)
  return { firstName: first, lastName: rest.length > 0 ? rest.join(' ') : noLastName }
}

/** `jane-doe-8a1b2c` is Jane Doe; an id in the place of a handle says nothing. */
function wordsOfHandle(profileUrl: string): string[] {
  const name = readProfileUrl(profileUrl)
  const handle = name && 'handle' in name ? name.handle : ''
  return handle
    .split('-')
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
}
