import { useSourceNames, useWrite, type InputOf } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { Checkbox, SelectField } from '../../ui/field.tsx'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { choicesOf, FormFields, SaveForm, useTried, type ControlProps, type FormField } from '../../ui/form.tsx'
import type { Destination } from './kinds.ts'

type Who = {
  readonly icpOnly: boolean
  readonly sources: Destination['sources']
  readonly filters: readonly EditedRow[]
}
type Filters = NonNullable<InputOf<'updateDestination'>['filters']>

function Sources({ value, onValue, error }: ControlProps<Who['sources']>) {
  const { sources: known } = useSourceNames()
  const chosen = new Set(value === 'all' ? [] : value)
  const listed = known.filter(({ id, status }) => status === 'active' || chosen.has(id))
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Sources"
        error={error}
        value={value === 'all' ? 'all' : 'some'}
        onValue={(next) => onValue(next === 'all' ? 'all' : [])}
        choices={choicesOf({ all: 'All sources, later ones too', some: 'Only some' })}
      />
      {value !== 'all' && (
        <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-lg border border-line p-3">
          <legend className="sr-only">Sources whose leads go</legend>
          {listed.length === 0 && <p className="text-sm text-muted">Nothing is tracked yet.</p>}
          {listed.map(({ id, label }) => (
            <Checkbox
              key={id}
              label={label}
              value={chosen.has(id)}
              onValue={(on) => onValue(on ? [...chosen, id] : value.filter((each) => each !== id))}
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}

const fields: readonly FormField<Who>[] = [
  {
    name: 'icpOnly',
    label: 'Only people who fit',
    hint: 'By the criteria of their source. If it has none, everybody is sent.',
  },
  {
    name: 'sources',
    label: 'Sources',
    fault: ({ sources }) => sources.length === 0 && 'Choose at least one source, or all.',
    control: (props) => <Sources {...props} />,
  },
  {
    name: 'filters',
    label: 'Which leads go',
    columns: agentColumns,
    empty: 'Everybody from these sources is sent. Add rows to send only people who match all of them.',
  },
]

type WhoFormProps = { destination: Destination; submit: string; onDone?: () => void }

/** Chooses which leads go to a destination, by source and filter; `onDone` is called once that is stored. */
export function WhoForm({ destination, submit, onDone }: WhoFormProps) {
  const { id, icpOnly, sources, filters } = destination
  const { value, isEdited, change, saved } = useEdited<Who>({ icpOnly, sources, filters })
  const refusal = useRefusal()
  const save = useWrite('updateDestination', {
    quiet: true,
    onSuccess: () => {
      saved()
      onDone?.()
    },
  })
  const { isTried, attempt } = useTried(fields, value)
  const submitAll = () =>
    isEdited || !onDone ? save.mutate({ id, ...value, filters: [...value.filters] as Filters }) : onDone()
  return (
    <SaveForm
      submit={submit}
      busy={save.isPending}
      error={save.error}
      reason={!isEdited && !onDone && 'Nothing was changed.'}
      onSave={() => attempt(submitAll)}
    >
      <FormFields fields={fields} form={value} onChange={change} reason={refusal} isTried={isTried} />
    </SaveForm>
  )
}
