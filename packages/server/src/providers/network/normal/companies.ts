import {
  companySizeOf,
  companySizeOfRange,
  decodeFully,
  foldCase,
  isPossibleHandle,
  readCompanyNumber,
} from '@les/contract'
import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CompanyRecord, CompanyRef } from '../../ports.ts'
import { readIndustry, type RawIndustry } from './industries.ts'
import { headquartersOf } from './places.ts'

type CompanyPage = { urn: string | null; slug: string | null }

/** Company URN from a number or any company URN; null for anything else. */
export function companyUrn(id: string | null | undefined): string | null {
  const found = id ? readCompanyNumber(id.trim().replace(/^0+/, '')) : null
  return found === null ? null : `urn:li:company:${found}`
}

/** Number and slug of a page from its address and ids; a search address (an employer without a page) gives neither. */
export function readCompanyPage(
  url: string | null | undefined,
  ...ids: readonly (string | null | undefined)[]
): CompanyPage {
  const segment = url ? (/\/(?:company|showcase|school)\/([^/?#]+)/i.exec(url)?.[1] ?? null) : null
  const numeric = segment !== null && /^\d{1,24}$/.test(segment)
  let urn = numeric ? `urn:li:company:${segment}` : null
  for (const id of ids) urn = companyUrn(id) ?? urn
  return { urn, slug: segment === null || numeric ? null : readSlug(segment) }
}

/** A slug in its stored spelling; null for text that no request could use as a slug. */
export function readSlug(value: string | null | undefined): string | null {
  const clean = cleanTextOrNull(value, 2_000)
  const slug = clean === null || clean.length === 2_000 ? null : foldCase(decodeFully(clean))
  return slug !== null && isPossibleHandle(slug) ? slug : null
}

/** A page's address on the network; null when it has neither slug nor number. */
export function companyUrl(page: CompanyPage): string | null {
  const segment = page.slug ?? page.urn?.replace('urn:li:company:', '') ?? null
  return segment === null ? null : `https://www.linkedin.com/company/${encodeURIComponent(segment)}`
}

/** The employer of a position; null when it names none. */
export function readEmployer(raw: {
  name: string | null
  id: string | null
  slug: string | null
  url: string | null
}): CompanyRef | null {
  const page = readCompanyPage(raw.url, raw.id)
  const name = cleanTextOrNull(raw.name, TEXT_LIMITS.name)
  const slug = readSlug(raw.slug) ?? page.slug
  return name === null && slug === null && page.urn === null ? null : { urn: page.urn, slug, name }
}

/** Size bucket of a range, given its lower bound or the network's text (`1,001-5,000 employees`, `5K-10K`). */
export function staffRangeOf(range: number | string | null): string | null {
  if (range === null) return null
  return typeof range === 'number' ? companySizeOf(range) : companySizeOfRange(range)
}

const networkHost =
  /(?:^|\.)(?:linkedin\.[a-z]{2,3}(?:\.[a-z]{2})?|lnkd\.in|linked\.in|licdn\.[a-z]{2,3}|linkedin\.app\.link|linkedinmobileapp\.com)$/
/** A name in the public DNS; excludes IP addresses, machine names and local networks. */
const publicName =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+(?!(?:localhost|local|localdomain|internal|lan|home|invalid)$)[a-z][a-z0-9-]*[a-z0-9]$/

/** Slips before an address: `http:/`, `http//`, `htps://`, `http://https://`, a stray sign. */
const slipsBefore = /^(?:h?t{1,3}ps?(?=[:;.,/\\])|[:;.,/\\"'<([\s])+/i
/** Where an address with slips ends: a port that is none, a second address or a stray sign. */
const endOfAddress = /[:;,/\\|"'<>()[\]\s]/

/** A company's own website with a scheme; null for network addresses, mail addresses, numbers and machine names. */
export function readWebsite(value: string | null): string | null {
  const clean = cleanTextOrNull(value, TEXT_LIMITS.url)
  if (clean === null) return null
  const mended = decodeFully(clean)
    .replace(slipsBefore, '')
    .split(endOfAddress)[0]!
    .replace(/\.{1,3}$/, '')
  return (
    ownAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`) ?? ownAddress(`https://${mended}`)
  )
}

function ownAddress(text: string): string | null {
  const url = cleanUrlOrNull(text)
  if (url === null) return null
  const { username, password, hostname } = new URL(url)
  const host = hostname.replace(/\.$/, '')
  if (username !== '' || password !== '' || !publicName.test(host) || networkHost.test(host)) return null
  return url
}

/** Cleaned and deduplicated, at most 50. */
export function readSpecialties(values: readonly (string | null)[]): string[] {
  return [...new Set(values.flatMap((value) => cleanTextOrNull(value, 200) ?? []))].slice(0, 50)
}

/** A page as a vendor gives it; of several pictures, the first valid URL is used. */
type RawCompany = {
  readonly id: string | null
  readonly slug: string | null
  readonly url: string | null
  readonly name: string | null
  readonly website: string | null
  readonly industries: readonly RawIndustry[]
  readonly employees: number | null
  readonly staffRange: number | string | null
  readonly headquarters: Parameters<typeof headquartersOf>[0] | null
  readonly description: string | null
  readonly foundedYear: number | null | undefined
  readonly followers: number | null
  readonly specialties: readonly (string | null)[]
  readonly logos: readonly (string | null | undefined)[]
  readonly covers: readonly (string | null | undefined)[]
}

/** Maps a page; null without an id or a name. */
export function companyOf(raw: RawCompany): CompanyRecord | null {
  const page = readCompanyPage(raw.url)
  const urn = companyUrn(raw.id) ?? page.urn
  const slug = readSlug(raw.slug) ?? page.slug
  const name = cleanTextOrNull(raw.name, TEXT_LIMITS.name) ?? slug
  if (urn === null || name === null) return null
  const industry = readIndustry(raw.industries)
  const firstUrl = (pictures: RawCompany['logos']) =>
    pictures.map((picture) => cleanUrlOrNull(picture)).find((url) => url !== null) ?? null
  return {
    urn,
    slug: slug ?? urn.replace('urn:li:company:', ''),
    name,
    linkedinUrl: companyUrl({ urn, slug }) ?? '',
    website: readWebsite(raw.website),
    industry: industry?.name ?? null,
    industryId: industry?.id ?? null,
    employeeCount: raw.employees,
    staffRange: staffRangeOf(raw.staffRange),
    headquarters: raw.headquarters && headquartersOf(raw.headquarters),
    description: cleanTextOrNull(raw.description, TEXT_LIMITS.text),
    foundedYear: raw.foundedYear || null,
    followerCount: raw.followers,
    specialties: readSpecialties(raw.specialties),
    logoUrl: firstUrl(raw.logos),
    coverUrl: firstUrl(raw.covers),
  }
}
