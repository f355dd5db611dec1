import type { FilterColumns } from '@les/contract'
import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Button } from './button.tsx'
import { FilterRow } from './filter-row.tsx'
import { operatorsFor, type EditedRow } from './filter-words.ts'
import type { Reason } from './reason.tsx'

/** Props of `FilterRows`. */
export type FilterRowsProps = {
  /** `leadColumns` or `agentColumns`: column to the kind of value it holds. */
  readonly columns: FilterColumns
  readonly value: readonly EditedRow[]
  readonly onChange: (rows: readonly EditedRow[]) => void
  /** What is wrong with a row, by its index. */
  readonly errors?: Readonly<Record<number, string>>
  /** What the rows decide, for screen readers; "Filter" unless told otherwise. */
  readonly label?: string
  /** Why nothing can be changed. */
  readonly reason?: Reason
  /** Shown in place of no rows. */
  readonly empty?: ReactNode
  /** The word on the button that adds a row. */
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
}: FilterRowsProps): ReactNode {
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
          icon={<Plus aria-hidden="true" size={14} />}
          onClick={() => onChange([...value, { column: first, operator: operatorsFor(columns, first)[0]! }])}
        >
          {add}
        </Button>
      </div>
    </fieldset>
  )
}
