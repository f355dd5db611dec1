/** Schemas of handles, slugs and ids (specification «Conventions»; G7, G8, G20, G146). */
import { z } from 'zod'
import { readText } from './fields.ts'
import { longestName, isPossibleHandle, normalizeCompany, normalizeHandle, readPersonName } from './handles.ts'
import { isMemberId } from './member-id.ts'
import { readNetworkAddress, type NetworkAddress } from './network-address.ts'

const looksLikeUrl = /^(?:urn|https?|ftp|mailto|tel):|\/|^(?:[a-z0-9-]+\.)*(?:linkedin\.com|lnkd\.in)$/i
const notIn = `without blanks, slashes, ?, #, % and control characters, at most ${longestName} characters`

/** Help for an address sent in place of a handle: the handle in it, or why it has none. */
function insteadOf(text: string): string {
  const address = readNetworkAddress(text)
  if (address?.kind === 'other') return `this one ${address.why}`
  return address?.kind === 'person'
    ? `of this one send ${normalizeHandle(address.name)}`
    : 'of https://…/in/jane-doe send jane-doe'
}

function faultOfHandle(handle: string, text: string): string | null {
  if (handle === '') return 'must not be empty: send the public handle of a person'
  if (looksLikeUrl.test(handle)) return `must be the handle alone, not a URL: ${insteadOf(text)}`
  return isPossibleHandle(handle) ? null : `must be a public handle as the network shows it: ${notIn}`
}

/** A person's public handle or member id; a URL is refused, and nothing is looked up (G7). */
export const personHandle = z
  .string({ error: 'must be the public handle of a person, as text' })
  .transform((text, context) => {
    const handle = normalizeHandle(text)
    const message = faultOfHandle(handle, text)
    if (message !== null) context.addIssue({ code: 'custom', message })
    return handle
  })
  .meta({
    description: 'Handle (`jane-doe`) or member id (`ACoAA…`, case-sensitive) of a person; never a URL or a source id.',
    openapi: { type: 'string', minLength: 1, maxLength: 200 },
  })

const longestAddress = 2_000

export const profileUrl = readText(
  'must be the address of a profile, such as https://www.linkedin.com/in/jane-doe, a handle or a member id',
  (text) => (text.length > longestAddress ? null : readPersonName(text)),
  'must be the address of a profile, a handle or a member id, as text',
).meta({
  description: 'Profile URL, handle or member id.',
  openapi: { type: 'string', minLength: 1, maxLength: longestAddress },
})

function faultOfSlug(slug: string, address: NetworkAddress | null): string | null {
  if (address?.kind === 'person' || isMemberId(slug))
    return 'must be a company slug or the full URL of a company page, and this is a person: use the operations of people'
  if (address?.kind === 'other') return `must be the URL of a company page: this one ${address.why}`
  if (slug === '') return 'must not be empty: send the slug of a company page'
  if (looksLikeUrl.test(slug))
    return 'must be a company slug or the full URL of a company page: of https://…/company/acme send acme'
  return isPossibleHandle(slug) ? null : `must be a company slug as the network shows it: ${notIn}`
}

/** A company's slug or number; the address of its page is reduced to it (G153). */
export const companySlug = z
  .string({ error: 'must be the slug of a company page, as text' })
  .transform((text, context) => {
    const address = readNetworkAddress(text)
    const slug = normalizeCompany(text)
    const message = faultOfSlug(slug, address)
    if (message !== null) context.addIssue({ code: 'custom', message })
    return slug
  })
  .meta({
    description: 'Slug or number of a company page (`acme`, `1035`), or its URL.',
    openapi: { type: 'string', minLength: 1, maxLength: 2000 },
  })

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => uuidShape.test(text)

/** An id in a path. A malformed id becomes null and is answered 404, like an unknown one (G20). */
export const idInPath = z
  .string()
  .transform((text) => (isUuid(text) ? text.toLowerCase() : null))
  .meta({ openapi: { type: 'string', format: 'uuid' } })
