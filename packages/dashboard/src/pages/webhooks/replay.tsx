import { useMemo, useState, type ReactNode } from 'react'
import { SendPreviewDialog } from '../../sends/index.ts'
import { Checkbox, Field, Select } from '../../ui/index.ts'
import type { Endpoint } from './endpoint-state.tsx'

const spans = {
  '1': 'the last hour',
  '24': 'the last 24 hours',
  '168': 'the last 7 days',
  '720': 'the last 30 days',
} as const
type Span = keyof typeof spans

/** Sends again what failed or was held at an address, since some time ago, after a preview. */
export function ReplayDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}): ReactNode {
  const [span, setSpan] = useState<Span>('24')
  const [chosen, setChosen] = useState({ failed: true, held: true, sent: false })
  const states = (['failed', 'held', 'sent'] as const).filter((state) => chosen[state])
  // One instant for the preview and the yes.
  const since = useMemo(() => new Date(Date.now() - Number(span) * 3_600_000).toISOString(), [span])
  return (
    <SendPreviewDialog
      title={`Send again to ${endpoint.label}`}
      text="The same bytes under the same id: a receiver that keeps ids takes each of them once."
      wanted={states.length === 0 ? null : { kind: 'replay', ownerId: endpoint.ownerId, states, since }}
      onClose={onClose}
    >
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
    </SendPreviewDialog>
  )
}
