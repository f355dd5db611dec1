import { decodeFully, isMemberId, mayBeName, memberIdIn, normalizeHandle } from '@les/contract'
import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, PersonSummary, Post } from '../../ports.ts'
import { companyUrl, readCompanyPage, readSlug } from './companies.ts'
import { plainName } from './names.ts'

export { memberIdIn }

/** The public handle in a profile address, as it is kept; null when it links by member id or is no profile address. */
export function handleInUrl(url: string | null | undefined): string | null {
  const found = url ? /\/in\/([^/?#]+)/i.exec(url) : null
  return found ? readHandle(found[1]!) : null
}

/**
 * A handle as it is kept, in the spelling people are named by; null for a member id and for what no request could name
 * anybody by.
 */
export function readHandle(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, 2_000)
  const name = clean === null ? null : normalizeHandle(clean)
  return name === null || isMemberId(name) || !mayBeName(name) ? null : name
}

/** The address of a profile: by handle when known, else by member id. */
export function profileUrl(handleOrUrn: string): string {
  return `https://www.linkedin.com/in/${encodeURIComponent(handleOrUrn)}`
}

/** What vendors show instead of a hidden member's name. */
const PLACEHOLDER = /^(linkedin|private|hidden|unknown)[ -]?(member|user)$/i

/** Whether a text stands in a name's place and is none: a placeholder, an id. */
const isNoName = (text: string): boolean =>
  PLACEHOLDER.test(text) || isMemberId(text) || /^urn:li:/i.test(text) || /^\d+$/.test(text)

/** A page's name as it is written; null for placeholders and for ids in a name's place. */
export function readPageName(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, TEXT_LIMITS.name)
  return clean === null || isNoName(clean) ? null : clean
}

/** A person's name in its normal form (`names.ts`); null for placeholders and for ids in a name's place. */
export function readName(value: string | null | undefined): string | null {
  const served = cleanTextOrNull(value, TEXT_LIMITS.name)
  const clean = served === null ? null : plainName(served)
  return clean === null || isNoName(clean) ? null : clean
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

/** Every member id that a record carries, the best first. */
const memberIdsIn = (candidates: RawPerson['ids']): string[] => [
  ...new Set(candidates.flatMap((candidate) => memberIdIn(candidate) ?? [])),
]

/** A person as lists show them; null when no member id is to be had, since nobody could be charged or found by it. */
export function readPerson(raw: RawPerson): PersonSummary | null {
  const [urn, ...otherUrns] = memberIdsIn([...raw.ids, raw.url, raw.handle])
  if (urn === undefined) return null
  const handle = readHandle(raw.handle) ?? handleInUrl(raw.url)
  return {
    urn,
    ...(otherUrns.length === 0 ? {} : { otherUrns }),
    name: readName(raw.name),
    headline: cleanTextOrNull(raw.headline, TEXT_LIMITS.headline),
    handle,
    linkedinUrl: profileUrl(handle ?? urn),
    avatarUrl: cleanUrlOrNull(raw.avatar),
  }
}

/** Whether somebody is a page: by the vendor's type, the address, or the kind of id. */
export function isCompany(raw: {
  type: string | null
  url: string | null
  ids: readonly (string | null | undefined)[]
}): boolean {
  if (raw.type !== null && /^(company|organization|school)/i.test(raw.type)) return true
  if (raw.url !== null && /linkedin\.com\/(company|showcase|school)\//i.test(raw.url)) return true
  return raw.ids.some(
    (id) =>
      typeof id === 'string' && /urn:li:(fs_|fsd_)?(miniCompany|company|organization|school)/i.test(decodeFully(id)),
  )
}

/** Whether a vendor shows nothing at all of somebody, as of an account that is closed. */
export const showsNobody = (fields: Readonly<Record<string, string | null>>): boolean =>
  Object.values(fields).every((value) => value === null || value.trim() === '')

/** What a vendor says about the author of a row: a person or a page; a page's slug where it is named apart from the address. */
export type RawActor = RawPerson & { type: string | null; slug?: string | null }

/** Who engaged: a person, a page, or null when it cannot be said who. */
export function readActor(raw: RawActor): Actor | null {
  if (isCompany(raw)) {
    const page = readCompanyPage(raw.url, ...raw.ids)
    return { kind: 'company', name: readPageName(raw.name), linkedinUrl: companyUrl(page) }
  }
  const person = readPerson(raw)
  return person === null ? null : { kind: 'person', ...person }
}

/** Who wrote a post, as far as the vendor says. */
export function readAuthor(raw: RawActor | null): Post['author'] {
  if (raw === null) return { kind: 'person', urn: null, name: null, url: null, headline: null }
  const headline = cleanTextOrNull(raw.headline, TEXT_LIMITS.headline)
  if (isCompany(raw)) {
    const page = readCompanyPage(raw.url, ...raw.ids)
    const url = companyUrl({ urn: page.urn, slug: readSlug(raw.slug) ?? page.slug })
    return { kind: 'company', urn: page.urn, url, name: readPageName(raw.name), headline }
  }
  const [urn = null, ...otherUrns] = memberIdsIn([...raw.ids, raw.url, raw.handle])
  const known = readHandle(raw.handle) ?? handleInUrl(raw.url) ?? urn
  return {
    kind: 'person',
    urn,
    ...(otherUrns.length === 0 ? {} : { otherUrns }),
    url: known === null ? null : profileUrl(known),
    name: readName(raw.name),
    headline,
  }
}
