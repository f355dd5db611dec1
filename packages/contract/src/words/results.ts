import type { Outcome } from '../resources/result.ts'
import type { Said } from './states.ts'

export const outcomeNames: Readonly<Record<Outcome, Said>> = {
  sent: { text: 'Written to', tone: 'info' },
  accepted: { text: 'Accepted', tone: 'info' },
  replied: { text: 'Replied', tone: 'good' },
  interested: { text: 'Interested', tone: 'good' },
  not_interested: { text: 'Not interested', tone: 'neutral' },
  meeting: { text: 'Meeting', tone: 'good' },
  won: { text: 'Won', tone: 'good' },
  lost: { text: 'Lost', tone: 'neutral' },
  bounced: { text: 'Bounced', tone: 'warn' },
  unsubscribed: { text: 'Unsubscribed', tone: 'warn' },
}
