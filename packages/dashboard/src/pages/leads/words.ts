import { engagementNames } from '@les/contract'
import type { Choice } from '../../ui/field.tsx'
import { day } from '../../ui/format.ts'
import { engagementTypes, webhookStatuses, type FilterName, type Filters } from './filters.ts'
import { deliveryWords } from './states.ts'

export const filterLabels: Readonly<Record<FilterName, string>> = {
  profileId: 'Source',
  username: 'Source handle',
  sourceKind: 'Kind of source',
  engagementType: 'Engagement',
  isIcp: 'Fit',
  webhookStatus: 'Webhook',
  excluded: 'Exclusions',
  name: 'Name',
  jobTitle: 'Job title',
  company: 'Company',
  companyDomain: 'Company domain',
  country: 'Country',
  companyIndustry: 'Industry',
  since: 'From',
  until: 'To',
  includeSyncing: 'Sources that are syncing',
  includeInactive: 'Sources no longer tracked',
}

export function filterValue(name: FilterName, filters: Filters, sourceLabel: (id: string) => string): string {
  const value = filters[name]
  if (name === 'profileId') return sourceLabel(String(value))
  if (name === 'sourceKind')
    return { profile: 'people and companies', post: 'posts', keyword: 'keyword searches' }[value as 'profile']
  if (name === 'engagementType') return engagementNames[value as 'Like'].toLowerCase()
  if (name === 'isIcp') return value === true ? 'fits' : 'does not fit'
  if (name === 'webhookStatus') return deliveryWords[value as 'sent'].text.toLowerCase()
  if (name === 'excluded') return value === 'only' ? 'only excluded people' : 'without excluded people'
  if (name === 'since' || name === 'until') return day(String(value))
  if (name === 'includeSyncing' || name === 'includeInactive') return value === true ? 'included' : 'left out'
  return name === 'username' ? String(value) : `contains “${String(value)}”`
}

export const engagementChoices: readonly Choice[] = [
  { value: '', label: 'Any engagement' },
  ...engagementTypes.map((value) => ({ value, label: engagementNames[value] })),
]

export const fitChoices: readonly Choice[] = [
  { value: '', label: 'Fit or not' },
  { value: 'true', label: 'Fits' },
  { value: 'false', label: 'Does not fit' },
]

export const deliveryChoices: readonly Choice[] = [
  { value: '', label: 'Any delivery' },
  ...webhookStatuses.map((value) => ({ value, label: deliveryWords[value].text })),
]

export const exclusionChoices: readonly Choice[] = [
  { value: '', label: 'Excluded or not' },
  { value: 'exclude', label: 'Without excluded people' },
  { value: 'only', label: 'Only excluded people' },
]

export const kindChoices: readonly Choice[] = [
  { value: '', label: 'Every kind' },
  { value: 'profile', label: 'People and company pages' },
  { value: 'post', label: 'Posts' },
  { value: 'keyword', label: 'Keyword searches' },
]

// The filters of the service are instants; the reader chooses days of their own calendar.

const two = (value: number): string => String(value).padStart(2, '0')

export function dayOf(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

const parts = (day: string): readonly [number, number, number] | undefined => {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  return match ? [Number(match[1]), Number(match[2]) - 1, Number(match[3])] : undefined
}

/** The first millisecond of a day, or undefined. */
export function startOf(day: string): string | undefined {
  const at = parts(day)
  return at && new Date(at[0], at[1], at[2]).toISOString()
}

/** The last millisecond of a day, which belongs to the range, or undefined. */
export function endOf(day: string): string | undefined {
  const at = parts(day)
  return at && new Date(new Date(at[0], at[1], at[2] + 1).getTime() - 1).toISOString()
}
