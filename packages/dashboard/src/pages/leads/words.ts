/** What the values of a lead are called on screen. */
import { deliveryStates, engagementNames, enrichmentStates, sourceKindNames, type Said } from '@les/contract'
import { day } from '../../ui/index.ts'
import type { FilterName, Filters } from './filters.ts'

/** A word and the colour of its badge. */
export type { Said }

/** How somebody engaged. */
export const engagementWords = engagementNames

/** Where a lead's webhook delivery stands. */
export const deliveryWords: Readonly<Record<'pending' | 'sent' | 'failed' | 'no_webhook', Said>> = {
  pending: deliveryStates.pending,
  sent: deliveryStates.sent,
  failed: deliveryStates.failed,
  no_webhook: { text: 'No webhook', tone: 'neutral' },
}

/** Where one delivery stands. */
export const attemptWords = deliveryStates

/** How far the look-up of a person's details has come. */
export const enrichmentWords = enrichmentStates

/** Kinds of source. */
export const kindWords = sourceKindNames

/** Whether somebody fits the ideal customer profile. */
export function fitWords(isIcp: boolean | null): Said {
  if (isIcp === null) return { text: 'Not judged', tone: 'neutral' }
  return isIcp ? { text: 'Fits', tone: 'good' } : { text: 'No fit', tone: 'warn' }
}

/** What the filters are called. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  profileId: 'Source',
  username: 'Source handle',
  sourceKind: 'Kind of source',
  engagementType: 'Engagement',
  isIcp: 'Fit',
  webhookStatus: 'Webhook',
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

/** The value of a filter, for its chip. */
export function filterValue(name: FilterName, filters: Filters, sourceLabel: (id: string) => string): string {
  const value = filters[name]
  if (name === 'profileId') return sourceLabel(String(value))
  if (name === 'sourceKind')
    return { profile: 'people and companies', post: 'posts', keyword: 'keyword searches' }[value as 'profile']
  if (name === 'engagementType') return engagementWords[value as 'Like'].toLowerCase()
  if (name === 'isIcp') return value === true ? 'fits' : 'does not fit'
  if (name === 'webhookStatus') return deliveryWords[value as 'sent'].text.toLowerCase()
  if (name === 'since' || name === 'until') return day(String(value))
  if (name === 'includeSyncing' || name === 'includeInactive') return value === true ? 'included' : 'left out'
  return name === 'username' ? String(value) : `contains “${String(value)}”`
}
