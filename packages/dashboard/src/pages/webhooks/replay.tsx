import { useState, type ReactNode } from 'react'
import { api, useTeam } from '../../api/index.ts'
import { Button, Checkbox, countOf, Dialog, Field, Notice, Select } from '../../ui/index.ts'
import { useRefreshDeliveries } from './use-deliveries.ts'
import type { Endpoint } from './endpoint-state.tsx'

const spans = {
  '1': 'the last hour',
  '24': 'the last 24 hours',
  '168': 'the last 7 days',
  '720': 'the last 30 days',
} as const
type Span = keyof typeof spans
type Outcome = { readonly replayed: number; readonly more: boolean } | { readonly error: string }

async function replayAll(ownerId: string, states: ('failed' | 'held' | 'sent')[], since: string): Promise<Outcome> {
  let replayed = 0
  let after: string | undefined
  // Each call looks at some thousands; ten calls are more than anybody means at once.
  for (let call = 0; call < 10; call++) {
    const answer = await api.session('replayDeliveries', {
      ownerId,
      states,
      since,
      ...(after === undefined ? {} : { after }),
    })
    replayed += answer.replayed
    if (!answer.more || answer.next === null) return { replayed, more: false }
    after = answer.next
  }
  return { replayed, more: true }
}

/** Sends again what failed or was held at an address, since some time ago. */
export function ReplayDialog({
  endpoint,
  open,
  onOpen,
}: {
  readonly endpoint: Endpoint
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const { can } = useTeam()
  const refresh = useRefreshDeliveries()
  const [span, setSpan] = useState<Span>('24')
  const [chosen, setChosen] = useState({ failed: true, held: true, sent: false })
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const states = (['failed', 'held', 'sent'] as const).filter((state) => chosen[state])
  const run = async () => {
    setBusy(true)
    setOutcome(
      await replayAll(endpoint.ownerId, states, new Date(Date.now() - Number(span) * 3_600_000).toISOString()).catch(
        (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
      ),
    )
    setBusy(false)
    refresh()
  }
  const close = (next: boolean) => {
    setOutcome(null)
    onOpen(next)
  }
  const writes = can('member')
  const actions = (
    <>
      <Button onClick={() => close(false)}>{outcome ? 'Close' : 'Cancel'}</Button>
      <Button variant="primary" busy={busy} disabled={!writes || states.length === 0} onClick={() => void run()}>
        Send again
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onOpen={close}
      size="sm"
      title={`Send again to ${endpoint.label}`}
      text="The same bytes under the same id: a receiver that keeps ids takes each of them once."
      actions={actions}
    >
      <div className="flex flex-col gap-4">
        {!writes && <Notice>Only members may send deliveries again.</Notice>}
        <Field label="Deliveries made in">
          <Select
            value={span}
            onValue={setSpan}
            choices={(Object.keys(spans) as Span[])
              .sort((a, b) => Number(a) - Number(b))
              .map((value) => ({ value, label: spans[value] }))}
          />
        </Field>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium">Which of them</legend>
          <Checkbox checked={chosen.failed} onChecked={(failed) => setChosen({ ...chosen, failed })} label="Failed" />
          <Checkbox checked={chosen.held} onChecked={(held) => setChosen({ ...chosen, held })} label="Held" />
          <Checkbox
            checked={chosen.sent}
            onChecked={(sent) => setChosen({ ...chosen, sent })}
            label="Delivered before"
            hint="For when your side has lost them."
          />
        </fieldset>
        {outcome && (
          <div role="status" className="text-sm">
            {'error' in outcome ? (
              <span className="text-danger-text">{outcome.error}</span>
            ) : outcome.replayed === 0 ? (
              'Nothing matched: nothing is sent again.'
            ) : (
              `${countOf(outcome.replayed, 'delivery', 'deliveries')} on the way${outcome.more ? '; there are more, send again for the rest' : ''}.`
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}
