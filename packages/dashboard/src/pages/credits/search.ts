import { ledgerKindNames } from '@les/contract'
import { compact, oneOf, shaped, uuid, whole, type Raw } from '../../app/search.ts'

export const spans = [7, 30, 90] as const
export type LineKind = keyof typeof ledgerKindNames
export const lineKinds = Object.keys(ledgerKindNames) as readonly LineKind[]
export const groups = ['run', 'source', 'day'] as const

export const search = (raw: Raw) => {
  const days = whole(raw, 'days')
  return compact({
    tab: oneOf(raw, 'tab', ['burn', 'yield', 'sums', 'ledger', 'statement']),
    days: spans.find((span) => span === days),
    kind: oneOf(raw, 'kind', lineKinds),
    sourceId: uuid(raw, 'sourceId'),
    syncId: uuid(raw, 'syncId'),
    leadId: uuid(raw, 'leadId'),
    by: oneOf(raw, 'by', groups),
    month: shaped(raw, 'month', /^\d{4}-\d\d$/),
    offset: whole(raw, 'offset', 1),
  })
}
