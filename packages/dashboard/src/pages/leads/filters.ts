/** The filters of the lead lists, named in the address as in `GET /leads`, and in words. */
import { deliveryStates, engagementNames, type Said } from '@les/contract'
import { compact } from '../../app/search.ts'
import type { SearchOf } from '../../app/searches.ts'
import { day } from '../../ui/format.ts'

export type Search = SearchOf<'leads'>

export type Filters = Omit<Search, 'tab' | 'lead' | 'columns' | 'sort' | 'direction'>
export type FilterName = keyof Filters

export const deliveryWords: Readonly<Record<NonNullable<Filters['webhookStatus']>, Said>> = {
  pending: deliveryStates.pending,
  sent: deliveryStates.sent,
  failed: deliveryStates.failed,
  no_webhook: { text: 'No webhook', tone: 'neutral' },
}

export function fitWords(isIcp: boolean | null): Said {
  if (isIcp === null) return { text: 'Not judged', tone: 'neutral' }
  return isIcp ? { text: 'Fits', tone: 'good' } : { text: 'No fit', tone: 'warn' }
}

type Filter = {
  readonly label: string
  /** Its few values in words, after the choice of none. */
  readonly values?: Readonly<Record<string, string>>
  /** Raw leads have the fact it asks for. */
  readonly isRaw?: true
}

export const filterTable: Readonly<Record<FilterName, Filter>> = {
  profileId: { label: 'Source', isRaw: true },
  username: { label: 'Source handle', isRaw: true },
  sourceKind: {
    label: 'Kind of source',
    values: { '': 'Every kind', profile: 'People and company pages', post: 'Posts', keyword: 'Keyword searches' },
  },
  engagementType: { label: 'Engagement', values: { '': 'Any engagement', ...engagementNames }, isRaw: true },
  isIcp: { label: 'Fit', values: { '': 'Fit or not', true: 'Fits', false: 'Does not fit' } },
  webhookStatus: {
    label: 'Webhook',
    values: {
      '': 'Any delivery',
      ...Object.fromEntries(Object.entries(deliveryWords).map(([status, { text }]) => [status, text])),
    },
  },
  excluded: {
    label: 'Exclusions',
    values: { '': 'Excluded or not', exclude: 'Without excluded people', only: 'Only excluded people' },
  },
  name: { label: 'Name' },
  jobTitle: { label: 'Job title' },
  company: { label: 'Company' },
  companyDomain: { label: 'Company domain' },
  country: { label: 'Country' },
  companyIndustry: { label: 'Industry' },
  since: { label: 'From', isRaw: true },
  until: { label: 'To', isRaw: true },
  includeSyncing: { label: 'Sources that are syncing' },
  includeInactive: { label: 'Sources no longer tracked', isRaw: true },
}

export const filterNames = Object.keys(filterTable) as readonly FilterName[]

export const textFilters = ['name', 'jobTitle', 'company', 'companyDomain', 'country', 'companyIndustry'] as const

export const filtersIn = (search: Search): Filters =>
  compact(Object.fromEntries(filterNames.map((name) => [name, search[name]])))

export function filterValue(name: FilterName, filters: Filters, sourceLabel: (id: string) => string): string {
  const value = filters[name]
  const { values } = filterTable[name]
  if (name === 'profileId') return sourceLabel(String(value))
  if (name === 'sourceKind' && value === 'profile') return 'people and companies'
  if (values !== undefined) return values[String(value)]!.toLowerCase()
  if (name === 'since' || name === 'until') return day(String(value))
  if (typeof value === 'boolean') return value ? 'included' : 'left out'
  return name === 'username' ? String(value) : `contains “${String(value)}”`
}

/** A combination the service refuses: `words` say why, at filter `at`; dropping `drop`, by a button `mend`, resolves it. */
type Conflict = {
  readonly at: FilterName
  readonly words: string
  readonly drop: readonly FilterName[]
  readonly mend: string
}

export function conflictsOf({ profileId, username, sourceKind, since, until }: Filters): readonly Conflict[] {
  const found: Conflict[] = []
  if (profileId !== undefined && username !== undefined)
    found.push({
      at: 'username',
      words: 'Choose a source or type its handle, not both.',
      drop: ['username'],
      mend: 'Drop the handle',
    })
  if (sourceKind !== undefined && (profileId !== undefined || username !== undefined))
    found.push({
      at: 'sourceKind',
      words: 'One source has one kind: choose a source or a kind, not both.',
      drop: ['sourceKind'],
      mend: 'Drop the kind',
    })
  if (since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since))
    found.push({
      at: 'until',
      words: 'The last day is before the first day: no lead can match.',
      drop: ['until'],
      mend: 'Drop the last day',
    })
  return found
}

/** Narrowed to one source, which the service lists even while it syncs. */
export const isScoped = ({ profileId, username }: Filters): boolean => profileId !== undefined || username !== undefined

/** The filters for `listLeads` and `listEngagers`. Leads of syncing sources are included by default: the list fills live. */
export function leadInput(filters: Filters) {
  const { includeSyncing = true, ...rest } = filters
  return isScoped(filters) ? rest : { ...rest, includeSyncing }
}

export const rawInput = ({ profileId, username, engagementType, since, until, includeInactive }: Filters) =>
  compact({ profileId, username, action: engagementType, since, until, includeInactive })

// The filters of the service are instants; the reader chooses days of their own calendar.

/** A day of the reader's calendar, as date fields take it: the way Swedish writes it. */
export const dayOf = (instant: string | undefined): string =>
  instant === undefined ? '' : new Date(instant).toLocaleDateString('sv')

const instantOf = (day: string, time: string): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T${time}`).toISOString() : undefined

export const startOf = (day: string): string | undefined => instantOf(day, '00:00')

/** The last millisecond of a day, which belongs to the range. */
export const endOf = (day: string): string | undefined => instantOf(day, '23:59:59.999')
