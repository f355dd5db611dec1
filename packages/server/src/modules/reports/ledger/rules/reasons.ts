/** Derives the kind and reason of a ledger line from its stored form. */
import type { Answer, OperationOf } from '@les/contract'

type Entry = Answer<OperationOf<'listLedgerEntries'>>['entries'][number]

/** A stored line; a free one has its reason in `category`. */
export type KeptLine = {
  readonly kind: 'grant' | 'topup' | 'lapse' | 'adjust' | 'charge' | 'refund' | 'free'
  readonly amount: number
  /** Carries no facts for somebody who was erased. */
  readonly key: string
  readonly category: string | null
}

/** The kind a line is listed under: a top-up is a grant, an adjustment a grant or a lapse by its sign. */
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

/** Why the balance changed, or did not. */
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
