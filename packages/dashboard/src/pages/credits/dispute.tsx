import { disputeReasonNames, ledgerReasonNames } from '@les/contract'
import { bounds } from 'virtual:values'
import { useWrite, type InputOf } from '../../api/index.ts'
import { choicesOf, countOf, FormDialog, FormFields, type FormField, useForm } from '../../ui/index.ts'
import type { Line } from './ledger.tsx'

type Form = { reason: InputOf<'disputeCharge'>['reason']; note: string }

const fields: readonly FormField<Form>[] = [
  { name: 'reason', label: 'What is wrong with it', choices: choicesOf(disputeReasonNames) },
  { name: 'note', label: 'Note', optional: true, rows: 3, maxLength: bounds.disputeNote },
]

/** Disputes one charge: the answer says whether its credits are back, or who decides. */
export function DisputeDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const [form, change] = useForm<Form>({ reason: 'duplicate', note: '' })
  const dispute = useWrite('disputeCharge', {
    quiet: true,
    done: ({ state, credits }) =>
      state === 'credited'
        ? `${countOf(credits, 'credit')} given back`
        : 'Whoever runs the service decides; the line says once they have',
    onSuccess: onClose,
  })
  const note = form.note.trim()
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title="Dispute this charge"
      text={[line.person?.name, ledgerReasonNames[line.reason]].filter(Boolean).join(' · ')}
      submit="Dispute"
      busy={dispute.isPending}
      error={dispute.error}
      onSubmit={() => dispute.mutate({ entryId: line.id, reason: form.reason, ...(note === '' ? {} : { note }) })}
    >
      <FormFields fields={fields} form={form} onChange={change} />
      <p className="text-[0.8125rem] text-muted">
        Small sums are given back at once, up to 5 % of what a month charges; beyond that, and for “Something else”,
        whoever runs the service decides. A charge is disputed once.
      </p>
    </FormDialog>
  )
}
