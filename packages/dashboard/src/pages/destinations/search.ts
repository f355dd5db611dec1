import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

const kinds = ['hubspot', 'slack', 'google_sheets', 'attio', 'salesforce', 's3', 'webhook'] as const
export const steps = ['who', 'fields', 'test', 'start'] as const
const tabs = ['who', 'fields', 'settings'] as const
export const states = ['waiting', 'delivered', 'unchanged', 'refused', 'excluded', 'unknown'] as const

/** Search parameters of connecting: first the kind, then the id of the created destination and the step. */
export const connectSearch = (raw: Raw) =>
  compact({ kind: oneOf(raw, 'kind', kinds), id: text(raw, 'id')?.slice(0, 36), step: oneOf(raw, 'step', steps) })

/** Search parameters of a destination: the tab, and which deliveries are listed. */
export const detailSearch = (raw: Raw) =>
  compact({ tab: oneOf(raw, 'tab', tabs), state: oneOf(raw, 'state', states), offset: whole(raw, 'offset', 1) })
