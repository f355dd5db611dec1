/** Badges of a lead; separate from the words of filters, which the router loads with every page. */
import { deliveryStates, type Said } from '@les/contract'

export const deliveryWords: Readonly<Record<'pending' | 'sent' | 'failed' | 'no_webhook', Said>> = {
  pending: deliveryStates.pending,
  sent: deliveryStates.sent,
  failed: deliveryStates.failed,
  no_webhook: { text: 'No webhook', tone: 'neutral' },
}

export function fitWords(isIcp: boolean | null): Said {
  if (isIcp === null) return { text: 'Not judged', tone: 'neutral' }
  return isIcp ? { text: 'Fits', tone: 'good' } : { text: 'No fit', tone: 'warn' }
}
