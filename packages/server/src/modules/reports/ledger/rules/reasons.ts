/** What a line of the ledger says: its kind and its reason, read off how the ledger keeps it. */
import type { Answer, OperationOf } from '@les/contract'

type Entry = Answer<OperationOf<'listLedgerEntries'>>['entries'][number]

/** A line as it is kept; a free one has its reason as its category. */
export type KeptLine = {
  readonly kind: 'grant' | 'topup' | 'lapse' | 'adjust' | 'charge' | 'refund' | 'free'
  readonly amount: number
  /** Of somebody who was erased it says nothing any more. */
  readonly key: string
  readonly category: string | null
}

/** The kind under which a line is listed: a top-up is a grant, an adjustment a grant or a lapse by its sign. */
export function kindOf({ kind, amount }: KeptLine): Entry['kind'] {
  if (kind === 'topup') return 'grant'
  if (kind === 'adjust') return amount < 0 ? 'lapse' : 'grant'
  return kind
}

const chargeReasons: Readonly<Record<string, Entry['reason']>> = {
  discover: 'influencer',
  posts_read: 'post_read',
  enrichment: 'enrichment',
}

/** Why the balance changed, or why it did not. */
export function reasonOf({ kind, key, category }: KeptLine): Entry['reason'] {
  switch (kind) {
    case 'free':
      return category as Entry['reason']
    case 'charge':
      if (category === 'source') return key.includes(':post:') ? 'new_post' : 'new_person'
      return chargeReasons[category ?? ''] ?? 'new_person'
    case 'refund':
      return 'dispute'
    case 'topup':
      return 'top_up'
    case 'adjust':
      return 'adjustment'
    case 'grant':
      return key === 'grant:opening' ? 'opening' : 'period'
    case 'lapse':
      return 'period'
  }
}
