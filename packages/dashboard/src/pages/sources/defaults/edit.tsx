import { bounds } from 'virtual:values'
import { useWrite, type InputOf } from '../../../api/index.ts'
import { numberOrNull, useForm } from '../../../ui/edited.ts'
import { leadColumns, leadRows } from '../../../ui/filter-words.ts'
import { FormDialog, FormFields, useTried, type FormField } from '../../../ui/form.tsx'
import { Failure } from '../../../ui/show.tsx'
import { campaignFields, criteriaFields, isNoCap, webhookFields } from '../settings.tsx'
import { ofWords, partLabel, type Defaults, type Of, type Part } from './words.ts'

type EditDefaultProps = { defaults: Defaults; part: Part; onClose: () => void }

type EditorProps<F extends object> = EditDefaultProps & {
  start: F
  fields: readonly FormField<F>[]
  bodyOf: (form: F) => Omit<InputOf<'saveDefaults'>, 'of'>
  size?: 'md' | 'lg'
}

function Editor<F extends object>({ defaults: { of }, part, onClose, start, fields, bodyOf, size }: EditorProps<F>) {
  const [form, change] = useForm(start)
  const { isTried, attempt } = useTried(fields, form)
  const save = useWrite('saveDefaults', { quiet: true, done: 'Default saved', onSuccess: onClose })
  return (
    <FormDialog
      onClose={onClose}
      {...(size ? { size } : {})}
      title={`${partLabel(part)}: ${ofWords[of].toLowerCase()}`}
      text="For sources tracked here from now on. Sources you already track stay as they are until you apply it."
      submit="Save default"
      busy={save.isPending}
      onSubmit={() => attempt(() => save.mutate({ of, ...bodyOf(form) }))}
    >
      <Failure error={save.error} title="Nothing was saved" />
      <FormFields fields={fields} form={form} onChange={change} isTried={isTried} />
    </FormDialog>
  )
}

const capField = (of: Of): FormField<{ cap: string }> => ({
  name: 'cap',
  label: 'Most credits a sync, for each source',
  fault: ({ cap }) =>
    of === 'keyword' && cap.trim() === ''
      ? 'Enter a number: each run of a search needs a cap'
      : isNoCap(cap) && 'Enter a whole number of at least 1',
  hint:
    of === 'keyword'
      ? 'A search runs once a day.'
      : 'A source is synced about once a day. Empty: no limit; keyword searches then keep theirs.',
  className: 'max-w-xs',
  inputMode: 'numeric',
})

export function EditDefault(props: EditDefaultProps) {
  const { webhook, criteria, outreach, cap, of } = props.defaults
  switch (props.part) {
    case 'webhook':
      return (
        <Editor
          {...props}
          start={webhook ?? { url: '', icpOnly: false, autoSend: true, syncEvents: false }}
          fields={webhookFields('each source', { fault: ({ url }) => url.trim() === '' && 'Enter the address' })}
          bodyOf={(form) => ({ webhook: { ...form, url: form.url.trim() } })}
        />
      )
    case 'criteria':
      return (
        <Editor
          {...props}
          size="lg"
          start={criteria ?? { rules: [], matchMode: 'all' }}
          fields={criteriaFields}
          bodyOf={({ rules, matchMode }) => ({ criteria: { matchMode, rules: leadRows(rules) } })}
        />
      )
    case 'outreach':
      return (
        <Editor
          {...props}
          size="lg"
          start={{
            campaignId: outreach?.campaignId ?? '',
            autoSend: outreach?.autoSend ?? true,
            filters: outreach?.filters ?? [],
          }}
          fields={campaignFields(leadColumns, outreach)}
          bodyOf={({ filters, ...rule }) => ({ outreach: { ...rule, filters: leadRows(filters) } })}
        />
      )
    case 'cap':
      return (
        <Editor
          {...props}
          start={{ cap: cap === null ? String(bounds.creditCap.default) : String(cap.credits ?? '') }}
          fields={[capField(of)]}
          bodyOf={(form) => ({ cap: { credits: numberOrNull(form.cap) } })}
        />
      )
  }
}
