import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { type ApiError, asksToSpend, hasCode } from '../../api/index.ts'
import { Button, Dialog, SpendDialog, toast } from '../../ui/index.ts'
import { Changes, type SettingChange } from './changes.tsx'

type Asked<I> = { readonly input: I; readonly refusal: ApiError; readonly onDone: () => void }

/** The two questions: what it spends, and what it rewrites. */
function GateDialogs<I>({
  asked,
  busy,
  onCancel,
}: {
  readonly asked: Asked<I> | null
  readonly busy: boolean
  readonly onCancel: () => void
}): ReactNode {
  const spends = asked !== null && asksToSpend(asked.refusal)
  return (
    <>
      <SpendDialog
        figures={spends ? asked.refusal.body : null}
        busy={busy}
        onConfirm={() => asked?.onDone()}
        onCancel={onCancel}
      />
      <Dialog
        open={asked !== null && !spends}
        onOpen={(open) => !open && onCancel()}
        title="There is such a search already"
        text="It would go on with these settings. Nothing was changed yet."
        actions={
          <>
            <Button onClick={onCancel}>Leave it as it is</Button>
            <Button variant="primary" busy={busy} onClick={() => asked?.onDone()}>
              Change it
            </Button>
          </>
        }
      >
        <Changes changes={(asked?.refusal.body.changed ?? []) as readonly SettingChange[]} />
      </Dialog>
    </>
  )
}

/**
 * Runs a write that may ask twice: before it spends, and before it rewrites what a search looks for. Each yes repeats
 * the identical request with the word that was asked for.
 */
export function useGates<R, I extends object>(
  mutation: UseMutationResult<R, Error, I>,
): {
  readonly run: (input: I, onDone?: (result: R) => void) => void
  readonly pending: boolean
  readonly error: Error | null
  readonly dialogs: ReactNode
} {
  const [asked, setAsked] = useState<Asked<I> | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const run = (input: I, onDone?: (result: R) => void) => {
    setError(null)
    mutation.mutateAsync(input).then(
      (result) => {
        setAsked(null)
        onDone?.(result)
      },
      (refusal: Error) => {
        const gated = asksToSpend(refusal) || hasCode(refusal, 'settings_conflict')
        setAsked(
          gated
            ? {
                input,
                refusal: refusal as ApiError,
                onDone: () =>
                  run(
                    { ...input, ...(asksToSpend(refusal) ? { confirmSpend: true } : { confirmChanges: true }) },
                    onDone,
                  ),
              }
            : null,
        )
        if (!gated) setError(refusal)
      },
    )
  }
  const cancel = () => {
    setAsked(null)
    toast.info('Nothing was changed')
  }
  const dialogs = <GateDialogs asked={asked} busy={mutation.isPending} onCancel={cancel} />
  return { run, pending: mutation.isPending, error, dialogs }
}
