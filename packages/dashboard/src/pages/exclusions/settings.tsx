import { useRead, useWrite, type ResultOf } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { FormFields, SaveForm, type FormField } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Card, Loaded } from '../../ui/show.tsx'

type Settings = Extract<ResultOf<'getExclusionSettings'>, { worksAtSource: boolean }>

function Tried({ settings }: { settings: Settings }) {
  const { data } = useRead(
    'updateExclusionSettings',
    { ...settings, dryRun: true },
    { keepPrevious: true, staleTime: 30_000 },
  )
  if (data === undefined || !('dryRun' in data)) return null
  const { matching, notMatching } = data.counts
  return (
    <p role="status" className="text-sm text-muted">
      With these settings, {count(matching)} of {countOf(matching + notMatching, 'lead')} captured so far would be
      excluded, including those on the lists.
    </p>
  )
}

const fields: readonly FormField<Settings>[] = [
  {
    name: 'worksAtSource',
    label: 'Exclude people who work at the source',
    hint: 'At the tracked company, or where the tracked person works.',
  },
  {
    name: 'repliedElsewhere',
    label: 'Exclude people who have replied',
    hint: 'People who replied or were won in a campaign are not sent again automatically.',
  },
]

function Form({ stored }: { stored: Settings }) {
  const { value, isEdited, change, saved } = useEdited(stored)
  const refusal = useRefusal()
  const save = useWrite('updateExclusionSettings', { done: 'Settings saved', onSuccess: saved })
  return (
    <Card title="Besides the lists" text="These settings do not change what is captured or charged.">
      <SaveForm
        submit="Save settings"
        busy={save.isPending}
        reason={!isEdited && 'Nothing was changed.'}
        onSave={() => save.mutate(value)}
      >
        <FormFields fields={fields} form={value} onChange={change} reason={refusal} />
        {isEdited && <Tried settings={value} />}
      </SaveForm>
    </Card>
  )
}

export function SettingsTab() {
  const query = useRead('getExclusionSettings', {})
  return <Loaded query={query}>{(stored) => <Form stored={stored} />}</Loaded>
}
