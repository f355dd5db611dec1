import { bounds } from 'virtual:values'
import type { Reason } from '../../ui/button.tsx'
import { FormFields, type FormField } from '../../ui/form.tsx'

export type WebhookForm = {
  readonly url: string
  readonly autoSend: boolean
  readonly icpOnly: boolean
  readonly syncEvents: boolean
}

type WebhookFieldsProps = {
  value: WebhookForm
  onChange: (part: Partial<WebhookForm>) => void
  whose: string
  hint?: string
  error?: string | undefined
  reason?: Reason
}

/** Where leads are delivered, and which; `whose` criteria decide who fits. */
export function WebhookFields({ value, onChange, whose, hint, error, reason }: WebhookFieldsProps) {
  const fields: readonly FormField<WebhookForm>[] = [
    {
      name: 'url',
      label: 'Address',
      hint,
      error,
      type: 'url',
      inputMode: 'url',
      maxLength: bounds.webhookUrl,
      placeholder: 'https://hooks.example.com/leads',
    },
    { name: 'autoSend', label: 'Send new leads by themselves', hint: 'Off: only leads you push by hand.' },
    { name: 'icpOnly', label: 'Only leads that fit', hint: `By the criteria of ${whose}.` },
    {
      name: 'syncEvents',
      label: 'Also tell when a sync ends',
      hint: 'sync.completed and sync.failed',
      reason: ({ url }) => url.trim() === '' && 'Type an address first.',
    },
  ]
  return <FormFields fields={fields} form={value} onChange={onChange} reason={reason} />
}
