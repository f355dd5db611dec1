import { Coins } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../api/hooks.ts'
import type { InputOf, ResultOf } from '../api/types.ts'
import { ConfirmDialog, count, countOf, ErrorState, Skeleton, useSettled } from '../ui/index.ts'

/** The most an action costs, by the service. */
export type Quote = ResultOf<'quoteCapture'>

function quoteWords({ now, daily, balance }: Quote): string {
  const have = `you have ${count(balance)}`
  if (now === null) return `No limit is set: it can use all your credits; ${have}.`
  if (daily === 0) return `At most ${countOf(now, 'credit')}, once; ${have}.`
  return `At most ${countOf(now, 'credit')} now, then up to ${count(daily ?? 0)} a day; ${have}.`
}

/** A warning when the balance will not last; null when it lasts a week or more. */
function quoteWarning({ now, days, balance }: Quote): string | null {
  if (balance <= 0) return 'There are no credits left: nobody is captured until you have more.'
  if (now !== null && now > balance) return 'That is more than you have: capture stops when your credits run out.'
  if (days === null || days >= 7) return null
  return days === 0
    ? 'At that rate your credits can end within a day.'
    : `At that rate your credits can end in ${countOf(days, 'day')}.`
}

/** An action that may cost credits. */
export type QuotedAct = InputOf<'quoteCapture'>['act']

function useQuote(act: QuotedAct | null) {
  const settled = useSettled(act, 250)
  return useRead('quoteCapture', { act: settled! }, { enabled: settled !== null, keepPrevious: true })
}

/** The most an action costs, next to its button, with the service's figures. */
export function QuoteLine({ act, cap }: { act: QuotedAct | null; cap?: ReactNode }) {
  const { data, error, refetch } = useQuote(act)
  if (act === null) return null
  return (
    <section
      aria-label="What it costs"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm"
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={1} />
      ) : (
        <p className="flex items-start gap-2">
          <Coins aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-muted" />
          <span>
            <strong className="font-medium">{quoteWords(data)}</strong>
            {data.perSync !== null && data.sources > 1 && (
              <span className="text-muted">
                {' '}
                {countOf(data.sources, 'source')}, {countOf(data.perSync, 'credit')} a sync each.
              </span>
            )}
            {quoteWarning(data) !== null && <span className="block text-warn-text">{quoteWarning(data)}</span>}
          </span>
        </p>
      )}
      {cap}
    </section>
  )
}

/** Asks before an action that costs, with its quote; stays open with the message when the action fails. */
export function QuotedDialog({ act, ...rest }: { act: QuotedAct } & Parameters<typeof ConfirmDialog>[0]) {
  return (
    <ConfirmDialog {...rest}>
      <QuoteLine act={act} />
    </ConfirmDialog>
  )
}
