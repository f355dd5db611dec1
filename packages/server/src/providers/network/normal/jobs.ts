import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CurrentJob, Profile } from '../../ports.ts'
import { readEmployer } from './companies.ts'
import { plainTitle } from './names.ts'
import { readPerson, type RawPerson } from './people.ts'
import { readCountry } from './places.ts'

/** A job from the profile's history or from its current jobs, which may have fewer fields. */
export type RawJob = {
  title: string | null
  companyName: string | null
  companyId: string | null
  companySlug: string | null
  companyUrl: string | null
}

const maxJobs = 20

const same = (one: string | null, other: string | null) =>
  one !== null && one !== '' && one !== '0' && other !== null && one.toLowerCase() === other.toLowerCase()
const fuller = (known: string | null, more: string | null | undefined) =>
  known === null || known === '' || known === '0' ? (more ?? null) : known

function titleOf({ title, companyName }: RawJob): string | null {
  const clean = cleanTextOrNull(title, TEXT_LIMITS.headline)
  return clean === null ? null : plainTitle(clean, cleanTextOrNull(companyName, TEXT_LIMITS.name))
}

/** Whether two rows may describe the same job: same employer, and not two different titles. */
function isSame(one: RawJob, other: RawJob): boolean {
  if (one.title && other.title && !same(one.title, other.title)) return false
  if (one.companyId && other.companyId && one.companyId !== '0' && other.companyId !== '0')
    return one.companyId === other.companyId
  return same(one.companySlug, other.companySlug) || same(one.companyName, other.companyName)
}

/** Current jobs: those marked as current, completed from the history, then other jobs in the history that have not ended. */
export function readJobs(marked: readonly RawJob[], ongoing: readonly RawJob[]): CurrentJob[] {
  const rest = [...ongoing]
  const completed = marked.map((job) => {
    const at = rest.findIndex((other) => isSame(job, other))
    const [found] = at === -1 ? [] : rest.splice(at, 1)
    return {
      title: fuller(job.title, found?.title),
      companyName: fuller(job.companyName, found?.companyName),
      companyId: fuller(job.companyId, found?.companyId),
      companySlug: fuller(job.companySlug, found?.companySlug),
      companyUrl: fuller(job.companyUrl, found?.companyUrl),
    }
  })
  const jobs = [...completed, ...rest].map(
    (job): CurrentJob => ({
      title: titleOf(job),
      company: readEmployer({ name: job.companyName, id: job.companyId, slug: job.companySlug, url: job.companyUrl }),
    }),
  )
  return jobs.filter(({ title, company }) => title !== null || company !== null).slice(0, maxJobs)
}

type Month = { readonly year: number; readonly month: number | null }

/** `now`: ongoing. Null: not stated. */
type JobDate = Month | 'now' | null

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const now =
  /^(?:present|now|current|today|ongoing|heute|jetzt|aujourd'hui|actualidad|presente|atualmente|o momento|oggi|heden|nu)$/i

function monthIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= 12 ? value : null
  if (typeof value !== 'string') return null
  if (/^\d{1,2}$/.test(value.trim())) return monthIn(Number(value))
  const at = monthNames.indexOf(value.trim().slice(0, 3).toLowerCase())
  return at === -1 ? null : at + 1
}

function yearIn(value: unknown): number | null {
  const year = typeof value === 'string' && /^\s*\d{4}\s*$/.test(value) ? Number(value) : value
  return typeof year === 'number' && Number.isInteger(year) && year >= 1900 && year <= 2100 ? year : null
}

/**
 * Reads `{month: "Aug", year: 2020, text: "Aug 2020"}`, `{year: 2020, month: 8, day: 0}`, `"Aug 2020"`, `"2020-08"`, `2020`,
 * `{text: "Present"}`. One vendor marks an ongoing job by year 0: that is `now`.
 */
export function readJobDate(value: unknown): JobDate {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return yearIn(value) === null ? null : { year: yearIn(value)!, month: null }
  if (typeof value === 'string') return dateInText(value)
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const { year, month, text } = value as Record<string, unknown>
  const stated = yearIn(year)
  if (stated !== null) return { year: stated, month: monthIn(month) }
  if (typeof text === 'string' && text.trim() !== '') return dateInText(text)
  return year === 0 || year === '0' ? 'now' : null
}

function dateInText(text: string): JobDate {
  const clean = text.trim()
  if (now.test(clean)) return 'now'
  const year = yearIn(/(?<!\d)(?:19|20)\d\d(?!\d)/.exec(clean)?.[0])
  if (year === null) return null
  const word = /\p{L}{3,}/u.exec(clean)?.[0]
  return { year, month: monthIn(word) ?? monthIn(/(?<!\d)\d{4}[-/.](\d{1,2})(?!\d)/.exec(clean)?.[1]) }
}

/** Whether a job is current: stated so, or begun and without an end. An unreadable end counts as an end. */
export function isHeld(job: { readonly start?: unknown; readonly end?: unknown }): boolean {
  const end = readJobDate(job.end)
  if (end !== null) return end === 'now'
  const unreadable = job.end !== null && job.end !== undefined && !isEmpty(job.end)
  const start = readJobDate(job.start)
  return !unreadable && start !== null && start !== 'now'
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => part === null || part === undefined || part === ''))

/** A profile as a vendor gives it; `marked`: jobs it marks as current; `ongoing`: history jobs that have not ended. */
type RawProfile = {
  readonly person: RawPerson
  readonly marked: readonly RawJob[]
  readonly ongoing: readonly RawJob[]
  readonly country: Parameters<typeof readCountry>[0]
}

/** Maps a profile; null without a member id. */
export function profileOf(raw: RawProfile): Profile | null {
  const person = readPerson(raw.person)
  if (person === null) return null
  const jobs = readJobs(raw.marked, raw.ongoing)
  const country = readCountry(raw.country)
  return {
    ...person,
    jobs,
    jobTitle: jobs[0]?.title ?? null,
    country: country.name,
    countryCode: country.code,
    company: jobs[0]?.company ?? null,
  }
}
