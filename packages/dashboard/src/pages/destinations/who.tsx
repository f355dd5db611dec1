import { useSourceNames, useWrite, type InputOf } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { Checkbox, SelectField, Switch } from '../../ui/field.tsx'
import { FilterRows, useRowFaults } from '../../ui/filter-rows.tsx'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { choicesOf, SaveForm } from '../../ui/form.tsx'
import { Failure } from '../../ui/show.tsx'
import type { Destination } from './kinds.ts'

type Who = {
  readonly icpOnly: boolean
  readonly sources: Destination['sources']
  readonly filters: readonly EditedRow[]
}
type Filters = NonNullable<InputOf<'updateDestination'>['filters']>

function Sources({ sources, onSources }: { sources: Who['sources']; onSources: (sources: Who['sources']) => void }) {
  const { sources: known } = useSourceNames()
  const chosen = new Set(sources === 'all' ? [] : sources)
  const listed = known.filter(({ id, status }) => status === 'active' || chosen.has(id))
  const toggle = (id: string, isChosen: boolean) =>
    onSources(isChosen ? [...chosen, id] : [...chosen].filter((each) => each !== id))
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Sources"
        value={sources === 'all' ? 'all' : 'some'}
        onValue={(value) => onSources(value === 'all' ? 'all' : [])}
        choices={choicesOf({ all: 'All sources, later ones too', some: 'Only some' })}
      />
      {sources !== 'all' && (
        <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-lg border border-line p-3">
          <legend className="sr-only">Sources whose leads go</legend>
          {listed.length === 0 && <p className="text-sm text-muted">Nothing is tracked yet.</p>}
          {listed.map(({ id, label }) => (
            <Checkbox key={id} label={label} value={chosen.has(id)} onValue={(value) => toggle(id, value)} />
          ))}
        </fieldset>
      )}
    </div>
  )
}

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
  const { isTried, errors, attempt } = useRowFaults(agentColumns, value.filters)
  const noSource = value.sources !== 'all' && value.sources.length === 0
  const submitAll = () => {
    if (noSource) return
    if (!isEdited && onDone) return onDone()
    save.mutate({
      id,
      icpOnly: value.icpOnly,
      sources: value.sources === 'all' ? 'all' : [...value.sources],
      filters: value.filters.map((row) => ({ ...row })) as Filters,
    })
  }
  return (
    <SaveForm
      submit={submit}
      busy={save.isPending}
      error={save.error}
      reason={!isEdited && !onDone && 'Nothing was changed.'}
      onSave={() => attempt(submitAll)}
    >
      <Switch
        value={value.icpOnly}
        onValue={(next) => change({ icpOnly: next })}
        label="Only people who fit"
        hint="By the criteria of their source. If it has none, everybody is sent."
        reason={refusal}
      />
      <Sources sources={value.sources} onSources={(next) => change({ sources: next })} />
      <FilterRows
        columns={agentColumns}
        value={value.filters}
        onChange={(next) => change({ filters: next })}
        errors={errors}
        label="Which leads go"
        empty="Everybody from these sources is sent. Add rows to send only people who match all of them."
        reason={refusal}
      />
      {isTried && noSource && <Failure error="Choose at least one source, or all." />}
    </SaveForm>
  )
}
