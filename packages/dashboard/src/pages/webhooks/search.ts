import type { EventName } from '@les/contract'
import { compact, oneOf, uuid, type Raw } from '../../app/search.ts'

export const tabs = ['endpoints', 'log', 'verify'] as const
export const states = ['pending', 'sending', 'sent', 'failed', 'held', 'cancelled', 'excluded'] as const
const every: Readonly<Record<EventName, true>> = {
  'lead.detected': true,
  'post.detected': true,
  'sync.completed': true,
  'sync.failed': true,
  'person.erased': true,
}
export const events = Object.keys(every) as readonly EventName[]

/** Search parameters: the tab, the filters of the log, and the open delivery. */
export const search = (raw: Raw) =>
  compact({
    tab: oneOf(raw, 'tab', tabs),
    state: oneOf(raw, 'state', states),
    event: oneOf(raw, 'event', events),
    ownerId: uuid(raw, 'ownerId'),
    leadId: uuid(raw, 'leadId'),
    delivery: uuid(raw, 'delivery'),
  })

export type Search = ReturnType<typeof search>
