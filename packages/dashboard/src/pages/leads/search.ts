import { compact, flag, oneOf, text, uuid, type Raw } from '../../app/search.ts'
import { engagementTypes, exclusionFilters, sourceKinds, webhookStatuses } from './filters.ts'

export const tabs = ['leads', 'engagers', 'raw'] as const

export const sorts = ['captured', 'name', 'company', 'fit', 'engagement'] as const
const directions = ['up', 'down'] as const

const longestText = 200

const instant = (raw: Raw, name: string) => {
  const value = text(raw, name)
  return value !== undefined && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
const words = (raw: Raw, name: string) => text(raw, name)?.slice(0, longestText)

/** Search parameters: the list, its columns, order and filters, and the open lead. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', tabs),
    lead: uuid(raw, 'lead'),
    columns: text(raw, 'columns')?.slice(0, 500),
    sort: oneOf(raw, 'sort', sorts),
    direction: oneOf(raw, 'direction', directions),
    profileId: uuid(raw, 'profileId'),
    username: words(raw, 'username'),
    sourceKind: oneOf(raw, 'sourceKind', sourceKinds),
    engagementType: oneOf(raw, 'engagementType', engagementTypes),
    isIcp: flag(raw, 'isIcp'),
    webhookStatus: oneOf(raw, 'webhookStatus', webhookStatuses),
    excluded: oneOf(raw, 'excluded', exclusionFilters),
    name: words(raw, 'name'),
    jobTitle: words(raw, 'jobTitle'),
    company: words(raw, 'company'),
    companyDomain: words(raw, 'companyDomain'),
    country: words(raw, 'country'),
    companyIndustry: words(raw, 'companyIndustry'),
    since: instant(raw, 'since'),
    until: instant(raw, 'until'),
    includeSyncing: flag(raw, 'includeSyncing'),
    includeInactive: flag(raw, 'includeInactive'),
  })

export type Search = ReturnType<typeof search>
