import { ArrowDown, ArrowUp, Pin, PinOff } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { moveColumn, widths, type ShownColumn } from './columns.tsx'

const sizes = [
  { value: '', label: 'Automatic' },
  ...Object.entries(widths).map(([name, width]) => ({
    value: String(width),
    label: `${name[0]!.toUpperCase()}${name.slice(1)}`,
  })),
]

type RowProps = {
  name: string
  column: ShownColumn
  first: boolean
  last: boolean
  onChange: (column: ShownColumn | null) => void
  onMove: (by: -1 | 1) => void
}

function Row({ name, column, first, last, onChange, onMove }: RowProps) {
  const { width: _, ...rest } = column
  const { pinned: __, ...unpinned } = column
  return (
    <li className="flex flex-wrap items-center gap-2 py-1.5">
      <span className="min-w-32 flex-1">
        <Checkbox label={name} value onValue={() => onChange(null)} />
      </span>
      <Select
        aria-label={`Width of ${name}`}
        value={column.width === undefined ? '' : String(column.width)}
        onValue={(value) => onChange(value === '' ? rest : { ...rest, width: Number(value) })}
        choices={
          column.width === undefined || sizes.some(({ value }) => value === String(column.width))
            ? sizes
            : [...sizes, { value: String(column.width), label: `${column.width} px` }]
        }
      />
      <IconButton
        size="sm"
        label={column.pinned ? `Let ${name} scroll` : `Keep ${name} in view`}
        icon={column.pinned ? PinOff : Pin}
        onClick={() => onChange(column.pinned ? unpinned : { ...column, pinned: true })}
      />

      <IconButton
        size="sm"
        reason={first && 'It is the first column.'}
        label={`Move ${name} up`}
        icon={ArrowUp}
        onClick={() => onMove(-1)}
      />
      <IconButton
        size="sm"
        reason={last && 'It is the last column.'}
        label={`Move ${name} down`}
        icon={ArrowDown}
        onClick={() => onMove(1)}
      />
    </li>
  )
}

export type ColumnChoiceProps = {
  readonly all: readonly { readonly id: string; readonly header: string }[]
  readonly chosen: readonly ShownColumn[]
  readonly choose: (next: readonly ShownColumn[]) => void
}

export function ColumnChoice({ all, chosen, choose }: ColumnChoiceProps) {
  const nameOf = (id: string) => all.find((column) => column.id === id)?.header ?? id
  const hidden = all.filter(({ id }) => !chosen.some((column) => column.id === id))
  const replace = (id: string, next: ShownColumn | null) => {
    const changed = chosen.flatMap((column) => (column.id === id ? (next ?? []) : column))
    if (changed.length > 0) choose(changed)
  }
  return (
    <>
      <ul className="flex flex-col divide-y divide-line" aria-label="Shown">
        {chosen.map((column, at) => (
          <Row
            key={column.id}
            name={nameOf(column.id)}
            column={column}
            first={at === 0}
            last={at === chosen.length - 1}
            onChange={(next) => replace(column.id, next)}
            onMove={(by) => choose(moveColumn(chosen, column.id, by))}
          />
        ))}
      </ul>
      {hidden.length > 0 && (
        <fieldset className="mt-4 grid grid-cols-2 gap-3">
          <legend className="mb-2 text-sm font-medium">More columns</legend>
          {hidden.map(({ id, header }) => (
            <Checkbox key={id} label={header} value={false} onValue={() => choose([...chosen, { id }])} />
          ))}
        </fieldset>
      )}
    </>
  )
}
