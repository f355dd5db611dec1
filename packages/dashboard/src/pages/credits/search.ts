import { compact, oneOf, text, whole, type Raw } from '../../app/search.ts'

export const spans = [7, 30, 90] as const
export const lineKinds = ['charge', 'grant', 'topup', 'lapse', 'adjust'] as const

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const search = (raw: Raw) => {
  const sourceId = text(raw, 'sourceId')
  const days = whole(raw, 'days')
  return compact({
    tab: oneOf(raw, 'tab', ['burn', 'yield', 'ledger']),
    days: spans.find((span) => span === days),
    kind: oneOf(raw, 'kind', lineKinds),
    sourceId: sourceId !== undefined && id.test(sourceId) ? sourceId.toLowerCase() : undefined,
  })
}

export type Search = ReturnType<typeof search>
