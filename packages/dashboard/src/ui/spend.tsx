import type { UseMutationResult } from '@tanstack/react-query'
import { Coins } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { asksToSpend, hasCode, type ApiError } from '../api/error.ts'
import { useRead } from '../api/hooks.ts'
import type { InputOf, ResultOf } from '../api/types.ts'
import { Button } from './button.tsx'
import { Chart } from './chart.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { useSettled } from './edited.ts'
import { count, countOf } from './format.ts'
import { Bullets, ErrorState, Failure, Skeleton } from './show.tsx'
import { toast } from './toast.tsx'

export type SpendQuote = Readonly<Record<string, unknown>>

const numberIn = (figures: SpendQuote, name: string): number | undefined =>
  typeof figures[name] === 'number' ? figures[name] : undefined

const modes: Readonly<Record<string, string>> = {
  engagers: 'everyone who engages',
  posts_only: 'posts only',
  depth: 'many people per post',
  breadth: 'few people of many posts',
}

function maxWords(once: number | undefined, daily: number | undefined, have: string): string | false {
  if (once !== undefined && daily !== undefined)
    return `At most ${countOf(once, 'credit')} now, then up to ${count(daily)} a day${have}.`
  if (once !== undefined) return `At most ${countOf(once, 'credit')}, once${have}.`
  return daily !== undefined && `At most ${countOf(daily, 'credit')} a day${have}.`
}

/** What confirming means, a sentence per figure of the quote; `who` names the balance's owner if not the team. */
export function spendWords(figures: SpendQuote, who = 'you have'): readonly string[] {
  const once = numberIn(figures, 'estimatedCredits')
  const daily = numberIn(figures, 'estimatedDailyMax')
  const perRun = numberIn(figures, 'creditCap') ?? numberIn(figures, 'creditCapPerSync')
  const days = numberIn(figures, 'daysToExhaustAtCap')
  const left = numberIn(figures, 'remainingBalance')
  const discover = numberIn(figures, 'discoverCost')
  const limit = numberIn(figures, 'dailyCredits')
  const mode = figures.captureMode ?? figures.mode
  const plan = typeof figures.plan === 'object' && figures.plan !== null ? (figures.plan as SpendQuote) : undefined
  const whose = who === 'you have' ? 'your credits' : 'they'
  const lines = [
    maxWords(once, daily, left === undefined ? '' : `; ${who} ${count(left)}`),
    perRun !== undefined && `One run can use at most ${countOf(perRun, 'credit')}.`,
    limit !== undefined && `The daily limit is ${countOf(limit, 'credit')}.`,
    plan &&
      numberIn(plan, 'total') !== undefined &&
      `Split of a day: ${countOf(numberIn(plan, 'perTopic') ?? 0, 'credit')} for each topic, ` +
        `${countOf(numberIn(plan, 'people') ?? 0, 'credit')} for people, ${countOf(numberIn(plan, 'total')!, 'credit')} in all.`,
    discover !== undefined && `Searching for people to watch costs at most ${countOf(discover, 'credit')} more, once.`,
    typeof mode === 'string' && modes[mode] !== undefined && `It captures ${modes[mode]}.`,
    days !== undefined &&
      (days === 0 ? `At that rate ${whose} end within a day.` : `At that rate ${whose} last ${countOf(days, 'day')}.`),
  ]
  return lines.filter((line): line is string => typeof line === 'string')
}

/** The balance on each of the next days at the highest spending; empty when the figures do not say. */
export function daysLeft(figures: SpendQuote): readonly { readonly day: number; readonly credits: number }[] {
  const daily = numberIn(figures, 'estimatedDailyMax')
  const left = numberIn(figures, 'remainingBalance')
  if (daily === undefined || left === undefined || daily <= 0) return []
  const days = Math.min(30, Math.max(7, Math.ceil(left / daily)))
  return Array.from({ length: days + 1 }, (_, index) => ({ day: index, credits: Math.max(0, left - daily * index) }))
}

export function DaysLeft({ figures, who, height }: { figures: SpendQuote; who: string; height: number }) {
  const balance = daysLeft(figures)
  if (balance.length === 0) return null
  return (
    <Chart
      kind="area"
      height={height}
      label={`Credits left on each day, if ${who} uses the most it can`}
      data={balance}
      x="day"
      xLabel="Days from now"
      series={[{ key: 'credits', label: 'Credits left' }]}
      formatX={(value) => (value === 0 ? 'today' : `+${value} d`)}
      formatY={count}
    />
  )
}

type SpendDialogProps = {
  readonly figures: SpendQuote | null
  readonly busy: boolean
  readonly error?: string | null
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

export function SpendDialog({ figures, busy, error, onConfirm, onCancel }: SpendDialogProps) {
  const actions = (
    <Button variant="primary" busy={busy} onClick={onConfirm}>
      Spend and go ahead
    </Button>
  )
  return (
    <Dialog
      open={figures !== null}
      onClose={onCancel}
      title="This uses credits"
      text="Nothing was changed yet."
      cancel
      actions={actions}
    >
      {figures !== null && (
        <div className="flex flex-col gap-4">
          <Bullets className="flex flex-col gap-1 text-sm" lines={spendWords(figures)} />
          <DaysLeft figures={figures} height={170} who="this" />
          <Failure error={error} />
        </div>
      )}
    </Dialog>
  )
}

/** What the service asks before it goes ahead; `onYes` repeats the request with consent. */
export type Asked = { readonly refusal: ApiError; readonly onYes: () => void; readonly onNo: () => void }

type AskedDialogProps = Asked & { busy: boolean; error: Error | null }

const consentTo = (error: Error | null): 'confirmSpend' | 'confirmChanges' | null =>
  asksToSpend(error) ? 'confirmSpend' : hasCode(error, 'settings_conflict') ? 'confirmChanges' : null

/**
 * Runs a write that may ask before it spends, or (with `conflict`, its window) before it changes what exists; consent repeats it.
 * Render `dialog`.
 */
export function useSpend<R, I>(
  mutation: UseMutationResult<R, Error, I>,
  conflict?: (asked: AskedDialogProps) => ReactNode,
) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const onNo = () => {
    setAsked(null)
    toast.info('Nothing was changed')
  }
  const run = (input: I, onDone?: (result: R) => void): void =>
    void mutation.mutateAsync(input).then(
      (result) => {
        setAsked(null)
        onDone?.(result)
      },
      (refusal: Error) => {
        const consent = consentTo(refusal)
        if (consent === null) return
        const onYes = () => run({ ...input, [consent]: true }, onDone)
        setAsked({ refusal: refusal as ApiError, onYes, onNo })
      },
    )
  const busy = mutation.isPending
  const error = consentTo(mutation.error) === null ? mutation.error : null
  const spends = asksToSpend(asked?.refusal)
  return {
    run,
    pending: busy,
    /** Of the first request; what fails after consent is shown in the window. */
    error: asked === null ? error : null,
    dialog: (
      <>
        <SpendDialog
          figures={spends ? asked!.refusal.body : null}
          busy={busy}
          error={error?.message ?? null}
          onConfirm={() => asked?.onYes()}
          onCancel={onNo}
        />
        {asked !== null && !spends && conflict?.({ ...asked, busy, error })}
      </>
    ),
  }
}

type Quote = ResultOf<'quoteCapture'>

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
