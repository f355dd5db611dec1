import type { FilterColumns, FilterOperator } from '@les/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Button, cx, IconButton, type Reason } from './button.tsx'
import { Field, Input, Select, TextArea } from './field.tsx'
import {
  columnName,
  knownValues,
  leadColumns,
  operandOf,
  operatorName,
  operatorsFor,
  refit,
  type EditedRow,
} from './filter-words.ts'

type Values = NonNullable<EditedRow['value']>
const asNumber = (text: string): number | undefined => (/^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined)

function valuesOf(text: string, isNumber: boolean): Values | undefined {
  const lines = [
    ...new Set(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  ]
  if (lines.length === 0) return undefined
  if (!isNumber) return lines
  const numbers = lines.map(asNumber)
  return numbers.every((number) => number !== undefined) ? (numbers as number[]) : lines
}

/** A list is typed a value a line; the text is kept as typed, so that a line being written is not tidied away. */
function ListValue({
  value,
  isNumber,
  onValue,
  reason,
}: {
  value: Values | undefined
  isNumber: boolean
  onValue: (value: Values | undefined) => void
  reason: Reason
}) {
  const [text, setText] = useState(() => (Array.isArray(value) ? value.join('\n') : ''))
  return (
    <TextArea
      rows={Math.min(6, Math.max(2, text.split('\n').length))}
      value={text}
      placeholder="One value a line"
      reason={reason}
      onChange={(event) => {
        setText(event.target.value)
        onValue(valuesOf(event.target.value, isNumber))
      }}
    />
  )
}

function Value({
  row,
  columns,
  onRow,
  reason,
}: {
  row: EditedRow
  columns: FilterColumns
  onRow: (row: EditedRow) => void
  reason: Reason
}) {
  const isNumber = columns[row.column] === 'number'
  const operand = operandOf(row.operator)
  const known = knownValues(columns, row.column)
  const set = (value: Values | undefined) =>
    onRow(value === undefined ? { column: row.column, operator: row.operator } : { ...row, value })
  if (operand === 'list') return <ListValue value={row.value} isNumber={isNumber} onValue={set} reason={reason} />
  const shown = row.value === undefined || Array.isArray(row.value) ? '' : String(row.value)
  if (known !== undefined && (row.operator === 'equals' || row.operator === 'not_equals'))
    return (
      <Select
        value={shown}
        onValue={(value) => set(value === '' ? undefined : value)}
        reason={reason}
        choices={[{ value: '', label: 'Choose…' }, ...known.map((one) => ({ value: one, label: one }))]}
      />
    )
  if (isNumber)
    return (
      <Input
        type="number"
        inputMode="numeric"
        value={shown}
        reason={reason}
        onChange={(event) => set(asNumber(event.target.value))}
      />
    )
  return (
    <Input
      value={shown}
      maxLength={bounds.filterText}
      reason={reason}
      onChange={(event) => set(event.target.value === '' ? undefined : event.target.value)}
    />
  )
}

type RowProps = {
  readonly row: EditedRow
  readonly index: number
  readonly columns: FilterColumns
  readonly error: string | undefined
  readonly onRow: (row: EditedRow) => void
  readonly onRemove: () => void
  readonly reason: Reason
}

function Compared({ row, index, columns, onRow, reason }: RowProps) {
  const columnChoices = Object.keys(columns).map((column) => ({ value: column, label: columnName(column) }))
  const operatorChoices = operatorsFor(columns, row.column).map((operator) => ({
    value: operator,
    label: operatorName(operator),
  }))
  return (
    <>
      <Field label={`Field of row ${index + 1}`} hideLabel className="max-sm:col-start-1">
        <Select
          value={row.column}
          choices={columnChoices}
          reason={reason}
          onValue={(column) => onRow(refit(columns, row, { column }))}
        />
      </Field>
      <Field label={`Comparison of row ${index + 1}`} hideLabel className="max-sm:col-start-1">
        <Select<FilterOperator>
          value={row.operator}
          choices={operatorChoices}
          reason={reason}
          onValue={(operator) => onRow(refit(columns, row, { operator }))}
        />
      </Field>
    </>
  )
}

/** A row of a filter: which field, how it is compared, and with what. */
function FilterRow(props: RowProps) {
  const { row, index, columns, error, onRow, onRemove, reason } = props
  return (
    <li
      className={cx(
        'grid grid-cols-[1fr_auto] items-start gap-2 rounded-lg border border-line p-2',
        'sm:grid-cols-[minmax(9rem,1fr)_minmax(8rem,0.8fr)_minmax(9rem,1.4fr)_auto] sm:border-0 sm:p-0',
      )}
    >
      <Compared {...props} />
      {operandOf(row.operator) === 'none' ? (
        <span className="max-sm:hidden" />
      ) : (
        <Field label={`Value of row ${index + 1}`} hideLabel error={error} className="max-sm:col-start-1">
          <Value
            key={`${row.column}-${operandOf(row.operator)}`}
            row={row}
            columns={columns}
            onRow={onRow}
            reason={reason}
          />
        </Field>
      )}
      <div className="max-sm:col-start-2 max-sm:row-start-1">
        <IconButton label={`Remove row ${index + 1}`} reason={reason} icon={Trash2} onClick={onRemove} />
      </div>
    </li>
  )
}

type FilterRowsProps = {
  /** `leadColumns` or `agentColumns`: column to the kind of value it holds. */
  readonly columns: FilterColumns
  readonly value: readonly EditedRow[]
  readonly onChange: (rows: readonly EditedRow[]) => void
  readonly errors?: Readonly<Record<number, string>>
  /** What the rows decide, for screen readers; "Filter" unless told otherwise. */
  readonly label?: string
  /** Why nothing can be changed. */
  readonly reason?: Reason
  /** Shown in place of no rows. */
  readonly empty?: ReactNode
  readonly add?: string
}

/** Edits the rows of a filter: the ICP criteria of a source, or who is sent where. */
export function FilterRows({
  columns,
  value,
  onChange,
  errors = {},
  label = 'Filter',
  reason,
  empty,
  add = 'Add a row',
}: FilterRowsProps) {
  // Rows have no id of their own: a removal must not hand a row's text to its neighbour.
  const [removals, setRemovals] = useState(0)
  const replace = (index: number, row: EditedRow) => onChange(value.map((before, at) => (at === index ? row : before)))
  const remove = (index: number) => {
    setRemovals(removals + 1)
    onChange(value.filter((_, at) => at !== index))
  }
  const rows = value.map((row, index) => ({ key: `${removals}-${index}`, row, index }))
  const first = Object.keys(columns)[0]!
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-col gap-3">
      {value.length === 0 && empty && <div className="text-sm text-muted">{empty}</div>}
      {value.length > 0 && (
        <ul className="flex flex-col gap-2">
          {rows.map(({ key, row, index }) => (
            <FilterRow
              key={key}
              row={row}
              index={index}
              columns={columns}
              error={errors[index]}
              reason={reason}
              onRow={(next) => replace(index, next)}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <div>
        <Button
          size="sm"
          reason={reason || (value.length >= bounds.filterRows && `At most ${bounds.filterRows} rows.`)}
          icon={Plus}
          onClick={() => onChange([...value, { column: first, operator: operatorsFor(columns, first)[0]! }])}
        >
          {add}
        </Button>
      </div>
    </fieldset>
  )
}

/** The criteria of a source or of a default: their rows and, where there are several, whether all of them or one is enough. */
export function CriteriaRows({
  rows,
  matchMode,
  onChange,
  errors,
  reason,
}: {
  rows: readonly EditedRow[]
  matchMode: 'all' | 'any'
  onChange: (rows: readonly EditedRow[], matchMode: 'all' | 'any') => void
  errors: NonNullable<FilterRowsProps['errors']>
  /** Why nothing can be changed. */
  reason?: Reason
}) {
  return (
    <>
      {rows.length > 1 && (
        <Field label="A lead fits when" className="max-w-xs">
          <Select
            value={matchMode}
            reason={reason}
            onValue={(mode) => onChange(rows, mode)}
            choices={[
              { value: 'all', label: 'every row matches' },
              { value: 'any', label: 'at least one row matches' },
            ]}
          />
        </Field>
      )}
      <FilterRows
        label="Criteria"
        columns={leadColumns}
        value={rows}
        onChange={(next) => onChange(next, matchMode)}
        errors={errors}
        reason={reason}
        empty="No criteria: nobody is judged, and every lead counts as a maybe."
        add="Add a criterion"
      />
    </>
  )
}
