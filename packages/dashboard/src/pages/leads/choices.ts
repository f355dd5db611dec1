import type { Choice } from '../../ui/index.ts'
import { engagementTypes, webhookStatuses } from './filters.ts'
import { deliveryWords, engagementWords } from './words.ts'

/** Choices of how somebody engaged. */
export const engagementChoices: readonly Choice[] = [
  { value: '', label: 'Any engagement' },
  ...engagementTypes.map((value) => ({ value, label: engagementWords[value] })),
]

/** Choices of fit. */
export const fitChoices: readonly Choice[] = [
  { value: '', label: 'Fit or not' },
  { value: 'true', label: 'Fits' },
  { value: 'false', label: 'Does not fit' },
]

/** Choices of where the delivery stands. */
export const deliveryChoices: readonly Choice[] = [
  { value: '', label: 'Any delivery' },
  ...webhookStatuses.map((value) => ({ value, label: deliveryWords[value].text })),
]

/** Choices of kinds of source. */
export const kindChoices: readonly Choice[] = [
  { value: '', label: 'Every kind' },
  { value: 'profile', label: 'People and company pages' },
  { value: 'post', label: 'Posts' },
  { value: 'keyword', label: 'Keyword searches' },
]

/** A choice as a filter: the empty one is none. */
export const chosen = <V extends string>(value: string): V | undefined => (value === '' ? undefined : (value as V))

/** A choice of yes or no as a filter. */
export const chosenFlag = (value: string): boolean | undefined => (value === '' ? undefined : value === 'true')
