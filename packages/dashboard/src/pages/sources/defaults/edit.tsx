import { bounds } from 'virtual:values'
import { useState } from 'react'
import { useWrite, type InputOf } from '../../../api/index.ts'
import { useForm } from '../../../ui/edited.ts'
import { TextField } from '../../../ui/field.tsx'
import { CriteriaRows } from '../../../ui/filter-rows.tsx'
import { leadColumns, leadRows, rowFaults, type EditedRow } from '../../../ui/filter-words.ts'
import { FormDialog } from '../../../ui/form.tsx'
import { Failure } from '../../../ui/show.tsx'
import { CampaignFields, type CampaignDraft } from '../../outreach/rule-form.tsx'
import { WebhookFields, type WebhookForm } from '../webhook-fields.tsx'
import { ofWords, partLabel, type Defaults, type Of, type Part } from './words.ts'

type Form = {
  readonly webhook: WebhookForm
  readonly criteria: { readonly rules: readonly EditedRow[]; readonly matchMode: 'all' | 'any' }
  readonly outreach: CampaignDraft
  readonly cap: string
}

const formOf = ({ webhook, criteria, outreach, cap }: Defaults): Form => ({
  webhook: webhook ?? { url: '', icpOnly: false, autoSend: true, syncEvents: false },
  criteria: criteria ?? { rules: [], matchMode: 'all' },
  outreach: {
    campaignId: outreach?.campaignId ?? '',
    autoSend: outreach?.autoSend ?? true,
    filters: outreach?.filters ?? [],
  },
  cap: cap === null ? String(bounds.creditCap.default) : String(cap.credits ?? ''),
})

const isWhole = (rows: readonly EditedRow[]): boolean => Object.keys(rowFaults(leadColumns, rows)).length === 0

function capFault(typed: string, of: Of): string | null {
  const cap = typed.trim()
  if (cap === '') return of === 'keyword' ? 'Enter a number: each run of a search needs a cap' : null
  const isGood = /^\d+$/.test(cap) && Number(cap) >= 1 && Number(cap) <= bounds.creditCap.max
  return isGood ? null : 'Enter a whole number of at least 1'
}

function isGood(part: Part, { webhook, criteria, outreach, cap }: Form, of: Of): boolean {
  switch (part) {
    case 'webhook':
      return webhook.url.trim() !== ''
    case 'criteria':
      return isWhole(criteria.rules)
    case 'outreach':
      return outreach.campaignId !== '' && isWhole(outreach.filters)
    case 'cap':
      return capFault(cap, of) === null
  }
}

function bodyOf(part: Part, { webhook, criteria, outreach, cap }: Form): Omit<InputOf<'saveDefaults'>, 'of'> {
  switch (part) {
    case 'webhook':
      return { webhook: { ...webhook, url: webhook.url.trim() } }
    case 'criteria':
      return { criteria: { ...criteria, rules: leadRows(criteria.rules) } }
    case 'outreach':
      return { outreach: { ...outreach, filters: leadRows(outreach.filters) } }
    case 'cap':
      return { cap: { credits: cap.trim() === '' ? null : Number(cap) } }
  }
}

type FieldsProps = {
  defaults: Defaults
  part: Part
  form: Form
  onChange: (part: Partial<Form>) => void
  isTried: boolean
}

function Fields({ defaults, part, form: { webhook, criteria, outreach, cap }, onChange, isTried }: FieldsProps) {
  switch (part) {
    case 'webhook':
      return (
        <WebhookFields
          value={webhook}
          onChange={(change) => onChange({ webhook: { ...webhook, ...change } })}
          error={isTried && webhook.url.trim() === '' ? 'Enter the address' : undefined}
          whose="each source"
        />
      )
    case 'criteria':
      return (
        <CriteriaRows
          rows={criteria.rules}
          matchMode={criteria.matchMode}
          onChange={(rules, matchMode) => onChange({ criteria: { rules, matchMode } })}
          errors={isTried ? rowFaults(leadColumns, criteria.rules) : {}}
        />
      )
    case 'outreach':
      return (
        <CampaignFields
          columns={leadColumns}
          stored={defaults.outreach}
          value={outreach}
          onChange={(change) => onChange({ outreach: { ...outreach, ...change } })}
          isTried={isTried}
        />
      )
    case 'cap':
      return (
        <TextField
          label="Most credits a sync, for each source"
          error={isTried && capFault(cap, defaults.of)}
          hint={
            defaults.of === 'keyword'
              ? 'A search runs once a day.'
              : 'A source is synced about once a day. Empty: no limit; keyword searches then keep theirs.'
          }
          className="max-w-xs"
          inputMode="numeric"
          value={cap}
          onValue={(typed) => onChange({ cap: typed })}
        />
      )
  }
}

export function EditDefault({ defaults, part, onClose }: { defaults: Defaults; part: Part; onClose: () => void }) {
  const { of } = defaults
  const [form, change] = useForm(() => formOf(defaults))
  const [isTried, setTried] = useState(false)
  const save = useWrite('saveDefaults', { quiet: true, done: 'Default saved', onSuccess: onClose })
  const submit = () => {
    setTried(true)
    if (isGood(part, form, of)) save.mutate({ of, ...bodyOf(part, form) })
  }
  return (
    <FormDialog
      onClose={onClose}
      size={part === 'criteria' || part === 'outreach' ? 'lg' : 'md'}
      title={`${partLabel(part)}: ${ofWords[of].toLowerCase()}`}
      text="For sources tracked here from now on. Sources you already track stay as they are until you apply it."
      submit="Save default"
      busy={save.isPending}
      onSubmit={submit}
    >
      <Failure error={save.error} title="Nothing was saved" />
      <Fields {...{ defaults, part, form, isTried }} onChange={change} />
    </FormDialog>
  )
}
