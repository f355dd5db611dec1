/** Quotes in words: one form for everything that costs. */
import type { SessionResult } from '../api/types.ts'
import { count, countOf } from '../ui/format.ts'

/** What the service says an act costs at most. */
export type Quote = SessionResult<'quoteCapture'>

/** The quote in one sentence. */
export function quoteWords({ now, daily, balance }: Quote): string {
  const have = `you have ${count(balance)}`
  if (now === null) return `No limit is set: it can use all your credits; ${have}.`
  if (daily === 0) return `At most ${countOf(now, 'credit')}, once; ${have}.`
  return `At most ${countOf(now, 'credit')} now, then up to ${count(daily ?? 0)} a day; ${have}.`
}

/** What follows from it for the balance; nothing when it lasts for long. */
export function quoteWarning({ now, days, balance }: Quote): string | null {
  if (balance <= 0) return 'There are no credits left: nobody is captured until there are.'
  if (now !== null && now > balance) return 'That is more than you have: capture stops when the credits end.'
  if (days === null || days >= 7) return null
  return days === 0
    ? 'At that rate your credits can end within a day.'
    : `At that rate your credits can end in ${countOf(days, 'day')}.`
}
