import type { FilterColumns, FilterOperator } from '@les/contract'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { bounds, filterOperands } from 'virtual:values'
import { cx, IconButton, type Reason } from './button.tsx'
import { EditedRows } from './edited-rows.tsx'
import { SelectField, TextField } from './field.tsx'
import {
  columnName,
  knownValues,
  operatorNames,
  operatorsFor,
  refit,
  rowFaults,
  type EditedRow,
} from './filter-words.ts'

type Values = NonNullable<EditedRow['value']>

const asNumber = (text: string): number | undefined => (/^\s*-?\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined)

function valuesOf(text: string, isNumber: boolean): Values | undefined {
  const lines = [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean)
  if (lines.length === 0) return undefined
  const numbers = lines.map(asNumber)
  return isNumber && numbers.every((number) => number !== undefined) ? numbers : lines
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

function Value({ row, index, columns, error, onRow, reason }: RowProps) {
  // A list is kept as typed, so that a line being written is not normalised away.
  const [lines, setLines] = useState(() => (Array.isArray(row.value) ? row.value.join('\n') : ''))
  const isNumber = columns[row.column] === 'number'
  const known = knownValues(columns, row.column)
  const set = (value: Values | undefined) =>
    onRow(value === undefined ? { column: row.column, operator: row.operator } : { ...row, value })
  const field = {
    label: `Value of row ${index + 1}`,
    hideLabel: true,
    error,
    reason,
    className: 'max-sm:col-start-1',
    value: row.value === undefined || Array.isArray(row.value) ? '' : String(row.value),
  }
  if (filterOperands[row.operator] === 'list')
    return (
      <TextField
        {...field}
        rows={Math.min(6, Math.max(2, lines.split('\n').length))}
        value={lines}
        placeholder="One value per line"
        onValue={(text) => {
          setLines(text)
          set(valuesOf(text, isNumber))
        }}
      />
    )
  if (known !== undefined && (row.operator === 'equals' || row.operator === 'not_equals'))
    return (
      <SelectField
        {...field}
        onValue={(value) => set(value === '' ? undefined : value)}
        choices={[{ value: '', label: 'Choose…' }, ...known.map((one) => ({ value: one, label: one }))]}
      />
    )
  if (isNumber)
    return <TextField {...field} type="number" inputMode="numeric" onValue={(text) => set(asNumber(text))} />
  return <TextField {...field} maxLength={bounds.filterText} onValue={(text) => set(text === '' ? undefined : text)} />
}

function FilterRow(props: RowProps) {
  const { row, index, columns, onRow, onRemove, reason } = props
  const look = { hideLabel: true, reason, className: 'max-sm:col-start-1' }
  return (
    <li
      className={cx(
        'grid grid-cols-[1fr_auto] items-start gap-2 rounded-lg border border-line p-2',
        'sm:grid-cols-[minmax(9rem,1fr)_minmax(8rem,0.8fr)_minmax(9rem,1.4fr)_auto] sm:border-0 sm:p-0',
      )}
    >
      <SelectField
        {...look}
        label={`Field of row ${index + 1}`}
        value={row.column}
        onValue={(column) => onRow(refit(columns, row, { column }))}
        choices={Object.keys(columns).map((column) => ({ value: column, label: columnName(column) }))}
      />
      <SelectField<FilterOperator>
        {...look}
        label={`Comparison of row ${index + 1}`}
        value={row.operator}
        onValue={(operator) => onRow(refit(columns, row, { operator }))}
        choices={operatorsFor(columns, row.column).map((value) => ({ value, label: operatorNames[value] }))}
      />
      {filterOperands[row.operator] === 'none' ? (
        <span className="max-sm:hidden" />
      ) : (
        <Value key={`${row.column}-${filterOperands[row.operator]}`} {...props} />
      )}
      <div className="max-sm:col-start-2 max-sm:row-start-1">
        <IconButton label={`Remove row ${index + 1}`} reason={reason} icon={Trash2} onClick={onRemove} />
      </div>
    </li>
  )
}

type FilterRowsProps = {
  /** `leadColumns` or `agentColumns`: the kind of value of each column. */
  readonly columns: FilterColumns
  readonly value: readonly EditedRow[]
  readonly onValue: (rows: readonly EditedRow[]) => void
  /** Shows what is wrong with each row. */
  readonly isTried: boolean
  readonly label: string
  readonly legend?: string
  readonly reason?: Reason
  readonly empty?: string
  readonly add?: string
}

/** Edits the rows of a filter: ICP criteria, or filters of sending. */
export function FilterRows(props: FilterRowsProps) {
  const { columns, value, onValue, isTried, label, legend, reason, empty, add = 'Add a row' } = props
  const first = Object.keys(columns)[0]!
  const faults = isTried ? rowFaults(columns, value) : {}
  return (
    <fieldset aria-label={label} className="flex min-w-0 flex-col gap-3">
      {legend && <legend className="mb-2 text-sm font-medium">{legend}</legend>}
      {value.length === 0 && empty && <div className="text-sm text-muted">{empty}</div>}
      <EditedRows
        rows={value}
        onRows={onValue}
        row={(row, index, onRow, onRemove) => (
          <FilterRow {...{ row, index, columns, reason, onRow, onRemove }} error={faults[index]} />
        )}
        blank={{ column: first, operator: operatorsFor(columns, first)[0]! }}
        add={add}
        max={bounds.filterRows}
        reason={reason}
      />
    </fieldset>
  )
}
