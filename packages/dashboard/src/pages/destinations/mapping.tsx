/** Maps facts of a lead to fields of the platform, from the platform's own list of fields. */
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useRead, useWrite, type ResultOf } from '../../api/index.ts'
import { IconButton, RoleButton, useRefusal } from '../../ui/button.tsx'
import { EditedRows } from '../../ui/edited-rows.tsx'
import { useEdited } from '../../ui/edited.ts'
import { SelectField, type Choice } from '../../ui/field.tsx'
import { choicesOf } from '../../ui/form.tsx'
import { Badge, Failure, Loaded } from '../../ui/show.tsx'
import { kindsInWords, type Destination } from './kinds.ts'
import { factNames, modeNames } from './words.ts'

type Field = ResultOf<'listDestinationFields'>['fields'][number]
type Row = Destination['mapping'][number]

const nameOf = ({ label, name }: Field) => (label === name ? name : `${label} (${name})`)

type MappingRowProps = {
  row: Row
  at: number
  fields: readonly Field[]
  onRow: (row: Row) => void
  onRemove: () => void
}

function MappingRow({ row, at, fields, onRow, onRemove }: MappingRowProps) {
  const refusal = useRefusal()
  const isGone = row.field !== '' && !fields.some(({ name, writable }) => name === row.field && writable)
  const fieldChoices: readonly Choice[] = [
    { value: '', label: 'Choose a field…' },
    ...(isGone ? [{ value: row.field, label: `${row.field}: gone on the platform` }] : []),
    ...fields.filter(({ writable }) => writable).map((field) => ({ value: field.name, label: nameOf(field) })),
  ]
  const facts = choicesOf(factNames)
  const look = { hideLabel: true, className: 'max-sm:col-start-1', reason: refusal }
  const isOther = row.from !== '' && !Object.hasOwn(factNames, row.from)
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-2 rounded-lg border border-line p-2 sm:grid-cols-[1fr_1fr_1fr_auto] sm:border-0 sm:p-0">
      <SelectField
        {...look}
        label={`Field of row ${at + 1}`}
        value={row.field}
        onValue={(field) => onRow({ ...row, field })}
        choices={fieldChoices}
      />
      <SelectField
        {...look}
        label={`Fact of row ${at + 1}`}
        value={row.from}
        onValue={(from) => onRow({ ...row, from })}
        choices={[
          { value: '', label: 'Choose a fact…' },
          ...(isOther ? [{ value: row.from, label: row.from }] : []),
          ...facts,
        ]}
      />
      <SelectField
        {...look}
        label={`When row ${at + 1} is written`}
        value={row.mode}
        onValue={(mode) => onRow({ ...row, mode })}
        choices={choicesOf(modeNames)}
      />
      <div className="max-sm:col-start-2 max-sm:row-start-1">
        <IconButton label={`Remove row ${at + 1}`} icon={Trash2} reason={refusal} onClick={onRemove} />
      </div>
      {isGone && (
        <p className="text-[0.8125rem] text-warn-text sm:col-span-full">
          This row is skipped while the platform does not have the field.
        </p>
      )}
    </li>
  )
}

type EditorProps = {
  destination: Destination
  fields: readonly Field[]
  submit: string
  onDone?: (() => void) | undefined
  beside?: ReactNode
}

function Editor({ destination, fields, submit, onDone, beside }: EditorProps) {
  const { value, isEdited, change, saved } = useEdited({ rows: destination.mapping })
  const save = useWrite('updateDestination', {
    quiet: true,
    onSuccess: () => {
      saved()
      onDone?.()
    },
  })
  const { rows } = value
  const isWhole = rows.every(({ field, from }) => field !== '' && from !== '')
  return (
    <div className="flex flex-col gap-4">
      {rows.length === 0 && (
        <p className="text-sm text-muted">No row of your own: only the usual fields are written.</p>
      )}
      <EditedRows<Row>
        label="Rows of the mapping"
        rows={rows}
        onRows={(next) => change({ rows: [...next] })}
        row={(row, at, onRow, onRemove) => <MappingRow {...{ row, at, fields, onRow, onRemove }} />}
        blank={{ field: '', from: '', mode: 'always' }}
        add="Add a row"
        max={bounds.destinationMapping}
      />
      <Failure error={save.error} />
      <div className="flex flex-wrap gap-2">
        <RoleButton
          variant="primary"
          busy={save.isPending}
          reason={isWhole ? !isEdited && !onDone && 'Nothing was changed.' : 'Choose a field and a fact in every row.'}
          onClick={() => (isEdited || !onDone ? save.mutate({ id: destination.id, mapping: [...rows] }) : onDone())}
        >
          {submit}
        </RoleButton>
        {beside}
      </div>
    </div>
  )
}

export function MappingForm(props: {
  destination: Destination
  submit: string
  onDone?: () => void
  beside?: ReactNode
}) {
  const { destination } = props
  const query = useRead('listDestinationFields', { id: destination.id }, { staleTime: 60_000 })
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-muted">
        The usual fields are mapped already: name, email, title, company, country, and our own fields with the
        engagement and why. A row of yours replaces the usual one for its field.
      </p>
      <Loaded query={query}>
        {({ fields }) => (
          <>
            <p>
              <Badge>
                {fields.filter(({ writable }) => writable).length} fields read from{' '}
                {kindsInWords[destination.kind].label}
              </Badge>
            </p>
            <Editor {...props} fields={fields} />
          </>
        )}
      </Loaded>
    </div>
  )
}
