import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { asksToSpend } from '../api/error.ts'
import { Button } from './button.tsx'
import { Chart } from './chart.tsx'
import { Dialog } from './dialog.tsx'
import { count } from './format.ts'
import { daysLeft, spendWords, type SpendQuote } from './spend-words.ts'
import { toast } from './toast.tsx'

/** Props of `SpendDialog`. */
export type SpendDialogProps = {
  readonly figures: SpendQuote | null
  readonly busy: boolean
  readonly error?: string | null
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Shows what something costs, in the service's own figures, and asks for a yes. */
export function SpendDialog({ figures, busy, error, onConfirm, onCancel }: SpendDialogProps): ReactNode {
  const balance = figures === null ? [] : daysLeft(figures)
  const actions = (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" busy={busy} onClick={onConfirm}>
        Spend and go ahead
      </Button>
    </>
  )
  return (
    <Dialog
      open={figures !== null}
      onOpen={(open) => !open && onCancel()}
      title="This uses credits"
      text="Nothing was changed yet."
      actions={actions}
    >
      {figures !== null && (
        <div className="flex flex-col gap-4">
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
            {spendWords(figures).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {balance.length > 0 && (
            <Chart
              kind="area"
              height={170}
              label="Credits left on each day, if this uses the most it can"
              data={balance}
              x="day"
              xLabel="Days from now"
              series={[{ key: 'credits', label: 'Credits left' }]}
              formatX={(value) => (value === 0 ? 'today' : `+${value} d`)}
              formatY={count}
            />
          )}
          {error && (
            <p role="alert" className="text-sm text-danger-text">
              {error}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

/**
 * Runs a write that may answer with figures: shows them, and after a yes repeats the identical request with
 * `confirmSpend: true`. Render `dialog` once.
 */
export function useSpend<R, I>(
  mutation: UseMutationResult<R, Error, I>,
): {
  readonly run: (input: I, onDone?: (result: R) => void) => void
  readonly pending: boolean
  readonly dialog: ReactNode
} {
  const [asked, setAsked] = useState<{
    readonly input: I
    readonly figures: SpendQuote
    readonly onDone: ((result: R) => void) | undefined
  } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const attempt = (input: I, sent: I, onDone: ((result: R) => void) | undefined) =>
    mutation.mutateAsync(sent).then(
      (result) => {
        setAsked(null)
        onDone?.(result)
      },
      (error: unknown) => {
        if (asksToSpend(error)) setAsked({ input, figures: error.body, onDone })
        else setFailed(error instanceof Error ? error.message : String(error))
      },
    )
  const confirm = () => {
    if (asked === null) return
    setFailed(null)
    void attempt(asked.input, { ...asked.input, confirmSpend: true }, asked.onDone)
  }
  const cancel = () => {
    setAsked(null)
    toast.info('Nothing was changed')
  }
  const run = (input: I, onDone?: (result: R) => void) => {
    setFailed(null)
    void attempt(input, input, onDone)
  }
  return {
    run,
    pending: mutation.isPending,
    dialog: (
      <SpendDialog
        figures={asked?.figures ?? null}
        busy={mutation.isPending}
        error={failed}
        onConfirm={confirm}
        onCancel={cancel}
      />
    ),
  }
}
