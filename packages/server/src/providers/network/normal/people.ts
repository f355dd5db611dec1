import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, PersonSummary } from '../../ports.ts'
import { companyUrl, readCompanyPage } from './companies.ts'

const MEMBER_ID = /(?<![A-Za-z0-9_-])AC[ow]A[A-Za-z0-9_-]+/
const WHOLE_MEMBER_ID = /^AC[ow]A[A-Za-z0-9_-]+$/

/** The first member id found in ids, URNs or profile addresses; null when none carries one. */
export function memberIdIn(...candidates: readonly (string | null | undefined)[]): string | null {
  for (const candidate of candidates) {
    const found = candidate ? MEMBER_ID.exec(candidate) : null
    if (found) return found[0]
  }
  return null
}

/** The public handle in a profile address, in lower case; null when it links by member id or is no profile address. */
export function handleInUrl(url: string | null | undefined): string | null {
  const found = url ? /\/in\/([^/?#]+)/.exec(url) : null
  return found ? readHandle(decoded(found[1]!)) : null
}

/** A handle as it is kept: lower case, no member id, at most 200 characters. */
export function readHandle(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, 400)
  if (clean === null || WHOLE_MEMBER_ID.test(clean) || clean.length > 200 || /[\s/?#]/.test(clean)) return null
  return clean.toLowerCase()
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The address of a profile: by handle when known, else by member id. */
export function profileUrl(handleOrUrn: string): string {
  return `https://www.linkedin.com/in/${encodeURIComponent(handleOrUrn)}`
}

/** What vendors show instead of a hidden member's name. */
const PLACEHOLDER = /^(linkedin|private|hidden|unknown)[ -]?(member|user)$/i

/** A person's or page's name; null for placeholders and for ids in a name's place. */
export function readName(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, TEXT_LIMITS.name)
  if (clean === null || PLACEHOLDER.test(clean) || WHOLE_MEMBER_ID.test(clean) || /^urn:li:/i.test(clean) || /^\d+$/.test(clean)) return null
  return clean
}

/** What a vendor says about somebody, before it is judged. */
export type RawPerson = {
  /** Everything that may carry the member id, best first. */
  ids: readonly (string | null | undefined)[]
  name: string | null
  headline: string | null
  url: string | null
  /** The handle where the vendor names it apart from the address. */
  handle?: string | null
  avatar: string | null
}

/** A person as lists show them; null when no member id is to be had, since nobody could be charged or found by it. */
export function readPerson(raw: RawPerson): PersonSummary | null {
  const urn = memberIdIn(...raw.ids, raw.url)
  if (urn === null) return null
  const handle = readHandle(raw.handle) ?? handleInUrl(raw.url)
  return { urn, name: readName(raw.name), headline: cleanTextOrNull(raw.headline, TEXT_LIMITS.headline), handle, linkedinUrl: profileUrl(handle ?? urn), avatarUrl: cleanUrlOrNull(raw.avatar) }
}

/** Whether somebody is a page: by the vendor's type, the address, or the kind of id. */
export function isCompany(raw: { type: string | null; url: string | null; ids: readonly (string | null | undefined)[] }): boolean {
  if (raw.type !== null && /^(company|organization|school)/i.test(raw.type)) return true
  if (raw.url !== null && /linkedin\.com\/(company|showcase|school)\//i.test(raw.url)) return true
  return raw.ids.some((id) => typeof id === 'string' && /urn:li:(fs_|fsd_)?(miniCompany|company|organization|school)/i.test(id))
}

/** Who engaged: a person, a page, or null when it cannot be said who. */
export function readActor(raw: RawPerson & { type: string | null }): Actor | null {
  if (isCompany(raw)) {
    const page = readCompanyPage(raw.url, ...raw.ids)
    return { kind: 'company', name: readName(raw.name), linkedinUrl: companyUrl(page) }
  }
  const person = readPerson(raw)
  return person === null ? null : { kind: 'person', ...person }
}
