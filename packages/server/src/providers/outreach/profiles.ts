/** Profile URLs in all spellings, and names split into two non-empty parts. */
import { isMemberId, readNetworkAddress, readPersonName } from '@les/contract'

/** What a profile URL names: the handle, or the member id. */
export type ProfileName = { readonly handle: string } | { readonly urn: string }

/** Reads a person's profile URL; null for any other. */
export function readProfileUrl(text: string): ProfileName | null {
  const name = readNetworkAddress(text)?.kind === 'person' ? readPersonName(text) : null
  if (name === null) return null
  return isMemberId(name) ? { urn: name } : { handle: name }
}

/** One spelling per profile; null when the URL is none. */
export function profileKey(text: string): string | null {
  const name = readProfileUrl(text)
  return name && ('urn' in name ? name.urn : `in/${name.handle}`)
}

const noLastName = '-'
/** Used in greetings. */
const noFirstName = 'there'

/** The platform drops leads without either part: a last name is then `-`, a missing name the handle's words or `there`. */
export function splitName(name: string | null, profileUrl: string): { firstName: string; lastName: string } {
  const words = (name ?? '').split(/\s/).filter((word) => word !== '')
  const [first = noFirstName, ...rest] = words.length > 0 ? words : wordsOfHandle(profileUrl)
  return { firstName: first, lastName: rest.length > 0 ? rest.join(' ') : noLastName }
}

/** `jane-doe-8a1b2c` becomes Jane Doe; a member id gives nothing. */
function wordsOfHandle(profileUrl: string): string[] {
  const name = readProfileUrl(profileUrl)
  const handle = name && 'handle' in name ? name.handle : ''
  return handle
    .split('-')
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
}
