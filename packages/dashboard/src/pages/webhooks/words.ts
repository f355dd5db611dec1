import { deliveryOutcome, deliveryStates, type EventName, type Said } from '@les/contract'
import type { Tone } from '../../ui/index.ts'
import type { states } from './search.ts'

export type State = (typeof states)[number]

const named = ({ text, tone }: Said): { readonly name: string; readonly tone: Tone } => ({ name: text, tone })

export const stateWords: Readonly<
  Record<State, { readonly name: string; readonly tone: Tone; readonly means: string }>
> = {
  pending: { ...named(deliveryStates.pending), means: 'It goes out at its next attempt.' },
  sending: { ...named(deliveryStates.sending), means: 'An attempt is under way.' },
  sent: { ...named(deliveryStates.sent), means: 'Your address took it.' },
  failed: {
    ...named(deliveryStates.failed),
    means: 'Given up after all attempts. Send it again once the receiver works.',
  },
  held: {
    ...named(deliveryStates.held),
    means:
      'Kept until the address works again, until the person was looked up, or until you send it again. Nothing is lost.',
  },
  cancelled: {
    ...named(deliveryStates.cancelled),
    means: 'The source was stopped or its address was removed before it went.',
  },
}

export const eventWords: Readonly<Record<EventName, string>> = {
  'lead.detected': 'New lead',
  'post.detected': 'New post',
  'sync.completed': 'Sync completed',
  'sync.failed': 'Sync failed',
}

export const outcomeWords = deliveryOutcome

/** Text as JSON with indents; as it is when it is none. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
