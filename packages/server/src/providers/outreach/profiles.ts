/** Addresses of profiles on the network, however they are written. */
import { isMemberId, normalizeHandle, readNetworkAddress } from '@les/contract'

/** What an address of a profile names: the public handle as it is kept, or the member id when it links by that. */
export type ProfileName = { readonly handle: string } | { readonly urn: string }

/** Reads the address of a person's profile; null for any other address. */
export function readProfileUrl(text: string): ProfileName | null {
  const address = readNetworkAddress(text)
  const name = address?.kind === 'person' ? normalizeHandle(address.name) : ''
  if (name === '') return null
  return isMemberId(name) ? { urn: name } : { handle: name }
}

/** One spelling for each profile; null for an address that is none. */
export function profileKey(text: string): string | null {
  const name = readProfileUrl(text)
  return name && ('urn' in name ? name.urn : `in/${name.handle}`)
}
