import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CurrentJob } from '../../ports.ts'
import { readEmployer } from './companies.ts'
import { plainTitle } from './titles.ts'

/** A job as a vendor lists it: in the history of a profile, or among its current ones, where it may say less. */
export type RawJob = {
  title: string | null
  companyName: string | null
  companyId: string | null
  companySlug: string | null
  companyUrl: string | null
}

/** Jobs kept of one profile. */
const MOST_JOBS = 20

const same = (one: string | null, other: string | null) =>
  one !== null && one !== '' && one !== '0' && other !== null && one.toLowerCase() === other.toLowerCase()
const fuller = (known: string | null, more: string | null | undefined) =>
  known === null || known === '' || known === '0' ? (more ?? null) : known

function titleOf({ title, companyName }: RawJob): string | null {
  const clean = cleanTextOrNull(title, TEXT_LIMITS.headline)
  return clean === null ? null : plainTitle(clean, cleanTextOrNull(companyName, TEXT_LIMITS.name))
}

/** Whether two rows may be the same job: of the same employer, and not under two titles. */
function isSame(one: RawJob, other: RawJob): boolean {
  if (one.title && other.title && !same(one.title, other.title)) return false
  if (one.companyId && other.companyId && one.companyId !== '0' && other.companyId !== '0')
    return one.companyId === other.companyId
  return same(one.companySlug, other.companySlug) || same(one.companyName, other.companyName)
}

/**
 * The jobs held now: what the profile marks as current, in its order and completed from its history, then the other jobs of the
 * history that have not ended. Nothing else of a profile says what somebody does.
 */
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
  return jobs.filter(({ title, company }) => title !== null || company !== null).slice(0, MOST_JOBS)
}
