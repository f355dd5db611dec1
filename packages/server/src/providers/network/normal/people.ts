import { decodeFully, isMemberId, isPossibleHandle, memberIdIn, normalizeHandle } from '@les/contract'
import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { Actor, PersonSummary, Post } from '../../ports.ts'
import { companyUrl, readCompanyPage, readSlug } from './companies.ts'
import { plainName } from './names.ts'

export { memberIdIn }

/** The handle in a profile address; null for a member id or another kind of address. */
export function handleInUrl(url: string | null | undefined): string | null {
  const found = url ? /\/in\/([^/?#]+)/i.exec(url) : null
  return found ? readHandle(found[1]!) : null
}

/** A handle in its stored spelling; null for a member id and for text that no request could use as a handle. */
export function readHandle(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, 2_000)
  const name = clean === null ? null : normalizeHandle(clean)
  return name === null || isMemberId(name) || !isPossibleHandle(name) ? null : name
}

/** A profile's address; prefer the handle over the member id. */
export function profileUrl(handleOrUrn: string): string {
  return `https://www.linkedin.com/in/${encodeURIComponent(handleOrUrn)}`
}

const PLACEHOLDER = /^(linkedin|private|hidden|unknown)[ -]?(member|user)$/i

const isNoName = (text: string): boolean =>
  PLACEHOLDER.test(text) || isMemberId(text) || /^urn:li:/i.test(text) || /^\d+$/.test(text)

/** A page's name as written; null for placeholders and ids. */
export function readPageName(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, TEXT_LIMITS.name)
  return clean === null || isNoName(clean) ? null : clean
}

/** A person's normalised name (`names.ts`); null for placeholders and ids. */
export function readName(value: string | null | undefined): string | null {
  const served = cleanTextOrNull(value, TEXT_LIMITS.name)
  const clean = served === null ? null : plainName(served)
  return clean === null || isNoName(clean) ? null : clean
}

/** A person as a vendor gives it; `ids`: everything that may contain the member id, best first. */
export type RawPerson = {
  ids: readonly (string | null | undefined)[]
  name: string | null
  headline: string | null
  url: string | null
  handle?: string | null
  avatar: string | null
}

const memberIdsIn = (candidates: RawPerson['ids']): string[] => [
  ...new Set(candidates.flatMap((candidate) => memberIdIn(candidate) ?? [])),
]

/** Maps a person; null without a member id, since such a person can be neither charged for nor found. */
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

/** Whether an author is a company page, by the vendor's type, the address, or the kind of id. */
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

/** Whether all fields are empty, as for a closed account. */
export const showsNobody = (fields: Readonly<Record<string, string | null>>): boolean =>
  Object.values(fields).every((value) => value === null || value.trim() === '')

/** A row's author, person or page; `slug` if the vendor gives it outside the address. */
export type RawActor = RawPerson & { type: string | null; slug?: string | null }

/** Who engaged; null when it cannot be determined. */
export function readActor(raw: RawActor): Actor | null {
  if (isCompany(raw)) {
    const page = readCompanyPage(raw.url, ...raw.ids)
    return { kind: 'company', name: readPageName(raw.name), linkedinUrl: companyUrl(page) }
  }
  const person = readPerson(raw)
  return person === null ? null : { kind: 'person', ...person }
}

/** A post's author, as far as the vendor says. */
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
