import { useState, type ReactNode } from 'react'
import { SendPreviewDialog, type Wanted } from '../../sends/index.ts'
import { Field, Select } from '../../ui/index.ts'

type Fit = NonNullable<Extract<Wanted, { kind: 'push' }>['fit']>

const fits: readonly { readonly value: Fit; readonly label: string }[] = [
  { value: 'webhook', label: 'As each webhook is set' },
  { value: 'fits', label: 'Only those who fit' },
  { value: 'all', label: 'All that are chosen' },
]

/** Sends chosen leads to the webhooks of their sources, after a preview. */
export function PushDialog({
  leads,
  onClose,
}: {
  readonly leads: Extract<Wanted, { kind: 'push' }>['leads']
  readonly onClose: () => void
}): ReactNode {
  const [fit, setFit] = useState<Fit>('webhook')
  return (
    <SendPreviewDialog
      title="Send to webhook"
      text="Each lead goes to the webhook of its source. Nothing is sent twice, and no credits are used."
      wanted={{ kind: 'push', leads, fit }}
      onClose={onClose}
    >
      <Field label="Who of the chosen" hint="A webhook can be set to take only people who fit.">
        <Select value={fit} onValue={setFit} choices={fits} />
      </Field>
    </SendPreviewDialog>
  )
}
