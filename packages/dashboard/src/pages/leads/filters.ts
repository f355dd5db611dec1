/** The filters of the lead lists, named in the address as in `GET /leads`. */
import { compact } from '../../app/search.ts'

export const sourceKinds = ['profile', 'post', 'keyword'] as const
export const engagementTypes = ['Like', 'Comment', 'Author'] as const
export const webhookStatuses = ['pending', 'sent', 'failed', 'no_webhook'] as const
export const exclusionFilters = ['exclude', 'only'] as const
export const textFilters = ['name', 'jobTitle', 'company', 'companyDomain', 'country', 'companyIndustry'] as const

export type TextFilter = (typeof textFilters)[number]

/** All filters; those set must all match. */
export type Filters = { readonly [Name in TextFilter]?: string } & {
  readonly profileId?: string
  readonly username?: string
  readonly sourceKind?: (typeof sourceKinds)[number]
  readonly engagementType?: (typeof engagementTypes)[number]
  readonly isIcp?: boolean
  readonly webhookStatus?: (typeof webhookStatuses)[number]
  readonly since?: string
  readonly until?: string
  readonly excluded?: (typeof exclusionFilters)[number]
  readonly includeSyncing?: boolean
  readonly includeInactive?: boolean
}

export type FilterName = keyof Filters

export const filterNames = [
  'profileId',
  'username',
  'sourceKind',
  'engagementType',
  'isIcp',
  'webhookStatus',
  'excluded',
  ...textFilters,
  'since',
  'until',
  'includeSyncing',
  'includeInactive',
] as const satisfies readonly FilterName[]

/** Filters of raw leads, which lack the facts for the others. */
export const rawFilterNames: readonly FilterName[] = [
  'profileId',
  'username',
  'engagementType',
  'since',
  'until',
  'includeInactive',
]

export const filtersIn = (search: Filters): Filters =>
  compact(Object.fromEntries(filterNames.map((name) => [name, search[name]])))

/** A combination the service refuses: `words` say why, at filter `at`; dropping `drop`, by a button `mend`, resolves it. */
type Conflict = {
  readonly at: FilterName
  readonly words: string
  readonly drop: readonly FilterName[]
  readonly mend: string
}

/** The conflicts of a combination; empty when the service accepts it. */
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
const isScoped = ({ profileId, username }: Filters): boolean => profileId !== undefined || username !== undefined

/** The filters for `listLeads` and `listEngagers`. Leads of syncing sources are included by default: the list fills live. */
export function leadInput(filters: Filters) {
  const { includeSyncing = true, ...rest } = filters
  return isScoped(filters) ? rest : { ...rest, includeSyncing }
}

export const rawInput = ({ profileId, username, engagementType, since, until, includeInactive }: Filters) =>
  compact({ profileId, username, action: engagementType, since, until, includeInactive })
