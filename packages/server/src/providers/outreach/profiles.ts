/** Addresses of profiles on the network, however they are written, and names as a platform needs them: in two parts, neither empty. */
import { isMemberId, readNetworkAddress, readPersonName } from '@les/contract'

/** What an address of a profile names: the public handle as it is kept, or the member id when it links by that. */
export type ProfileName = { readonly handle: string } | { readonly urn: string }

/** Reads the address of a person's profile; null for any other address, and where nobody has such a name. */
export function readProfileUrl(text: string): ProfileName | null {
  const name = readNetworkAddress(text)?.kind === 'person' ? readPersonName(text) : null
  if (name === null) return null
  return isMemberId(name) ? { urn: name } : { handle: name }
}

/** One spelling for each profile; null for an address that is none. */
export function profileKey(text: string): string | null {
  const name = readProfileUrl(text)
  return name && ('urn' in name ? name.urn : `in/${name.handle}`)
}

/** Stands for a part that is not known: a person of one name has it as their last. */
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
