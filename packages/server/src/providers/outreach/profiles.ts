/** Addresses of profiles on the network, however they are written. */

const profilePath = /^\/in\/([^/]+)\/?/i
const memberId = /^AC[a-zA-Z]A[\w-]{8,}$/

/** What an address of a profile names: the public handle in lower case, or the member id when it links by that. */
export type ProfileName = { readonly handle: string } | { readonly urn: string }

/** Reads the address of a person's profile; null for any other address. */
export function readProfileUrl(text: string): ProfileName | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`)
  if (url === null || !/^https?:$/.test(url.protocol) || !/(?:^|\.)linkedin\.com$/i.test(url.hostname)) return null
  const segment = profilePath.exec(url.pathname)?.[1]
  if (segment === undefined) return null
  const name = decoded(segment).trim()
  if (name === '') return null
  return memberId.test(name) ? { urn: name } : { handle: name.normalize('NFC').toLowerCase() }
}

/** One spelling for each profile; null for an address that is none. */
export function profileKey(text: string): string | null {
  const name = readProfileUrl(text)
  return name && ('urn' in name ? name.urn : `in/${name.handle}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
