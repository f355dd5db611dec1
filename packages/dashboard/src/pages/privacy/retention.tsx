import { useRead, useWrite } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { numberOrNull, useEdited, useSettled } from '../../ui/edited.ts'
import { FormFields, SaveForm, type FormField } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Card, Failure, Loaded } from '../../ui/show.tsx'

type Stored = { keepLeadsDays: number | null; keepUnfitDays: number | null }
type Form = { keepLeads: string; keepUnfit: string }

const requestOf = ({ keepLeads, keepUnfit }: Form): Stored => ({
  keepLeadsDays: numberOrNull(keepLeads),
  keepUnfitDays: numberOrNull(keepUnfit),
})
const formOf = ({ keepLeadsDays, keepUnfitDays }: Stored): Form => ({
  keepLeads: String(keepLeadsDays ?? ''),
  keepUnfit: String(keepUnfitDays ?? ''),
})

const days = { type: 'number', min: 30, max: 3_650, placeholder: 'As long as the team exists' } as const

const fields: readonly FormField<Form>[] = [
  {
    name: 'keepLeads',
    label: 'Days that leads are kept',
    hint: 'From 30 to 3,650. Empty: as long as the team exists.',
    ...days,
  },
  {
    name: 'keepUnfit',
    label: 'Days that leads that do not fit are kept',
    hint: 'Same range; the shorter of the two applies.',
    ...days,
  },
]

function WouldGo({ form }: { form: Form }) {
  const settled = useSettled(form)
  const query = useRead(
    'updateRetention',
    { ...requestOf(settled), dryRun: true },
    { keepPrevious: true, staleTime: 30_000 },
  )
  if (query.error) return <Failure error={query.error} />
  if (query.data === undefined || !('dryRun' in query.data)) return null
  const { leads, people, deliveries } = query.data.counts
  return (
    <p role="status" className="text-sm text-muted">
      Now {countOf(leads, 'lead')} would be deleted for good, with {countOf(deliveries, 'delivery', 'deliveries')}, and
      nothing would be left of {countOf(people, 'person', 'people')}.
    </p>
  )
}

function Settings({ stored }: { stored: Form }) {
  const { value, isEdited, change, saved } = useEdited(stored)
  const refusal = useRefusal('owner')
  const save = useWrite('updateRetention', { done: 'Settings saved', onSuccess: saved })
  return (
    <SaveForm
      className="max-w-md"
      submit="Save settings"
      needs="owner"
      busy={save.isPending}
      reason={!isEdited && 'Nothing was changed.'}
      onSave={() => save.mutate(requestOf(value))}
    >
      <FormFields fields={fields} form={value} onChange={change} reason={refusal} />
      {isEdited && <WouldGo form={value} />}
    </SaveForm>
  )
}

export function RetentionTab() {
  const query = useRead('getRetention', {})
  return (
    <Card
      title="How long leads are kept"
      text="Older ones are deleted for good, once a day, with what is known about their people, their deliveries and scores; the ledger stays."
    >
      <Loaded query={query}>{(stored) => 'keepLeadsDays' in stored && <Settings stored={formOf(stored)} />}</Loaded>
    </Card>
  )
}
