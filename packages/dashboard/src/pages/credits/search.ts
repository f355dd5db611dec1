import { ledgerKindNames } from '@les/contract'
import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

export const spans = [7, 30, 90] as const
export type LineKind = keyof typeof ledgerKindNames
export const lineKinds = Object.keys(ledgerKindNames) as readonly LineKind[]
export const groups = ['run', 'source', 'day'] as const

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const uuid = (raw: Raw, name: string) => {
  const value = text(raw, name)
  return value !== undefined && id.test(value) ? value.toLowerCase() : undefined
}

export const search = (raw: Raw) => {
  const days = whole(raw, 'days')
  const month = text(raw, 'month')
  return compact({
    tab: oneOf(raw, 'tab', ['burn', 'yield', 'sums', 'ledger', 'statement']),
    days: spans.find((span) => span === days),
    kind: oneOf(raw, 'kind', lineKinds),
    sourceId: uuid(raw, 'sourceId'),
    syncId: uuid(raw, 'syncId'),
    leadId: uuid(raw, 'leadId'),
    by: oneOf(raw, 'by', groups),
    month: month !== undefined && /^\d{4}-\d\d$/.test(month) ? month : undefined,
    offset: whole(raw, 'offset', 1),
  })
}

export type Search = ReturnType<typeof search>
