import type { EventName } from '@les/contract'
import type { deliveryStates } from '../../app/searches.ts'

export const meanings: Readonly<Record<(typeof deliveryStates)[number], string>> = {
  pending: 'It is sent at its next attempt.',
  sending: 'An attempt is under way.',
  sent: 'Your address accepted it.',
  failed: 'Given up after all attempts. Send it again once the receiver works.',
  held: 'Kept until the address works again, until the person was looked up, or until you send it again. Nothing is lost.',
  excluded: 'The person was excluded before it was sent.',
  cancelled: 'The source was stopped or its address was removed before it was sent.',
}

export const eventWords: Readonly<Record<EventName, string>> = {
  'lead.detected': 'New lead',
  'post.detected': 'New post',
  'sync.completed': 'Sync completed',
  'sync.failed': 'Sync failed',
  'person.erased': 'Person erased',
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
