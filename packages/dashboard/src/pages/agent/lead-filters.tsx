import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Badge, Button, Dialog, FilterRows, agentColumns, rowFaults, rowWords, type EditedRow } from '../../ui/index.ts'

/** Filter rows in an address; what is none counts as no filter. */
export function rowsIn(text: string | undefined): readonly EditedRow[] {
  try {
    const parsed: unknown = text === undefined ? [] : JSON.parse(text)
    return Array.isArray(parsed)
      ? parsed.filter(
          (row): row is EditedRow =>
            typeof row === 'object' &&
            row !== null &&
            typeof (row as EditedRow).column === 'string' &&
            typeof (row as EditedRow).operator === 'string',
        )
      : []
  } catch {
    return []
  }
}

const presets: readonly { readonly label: string; readonly row: EditedRow }[] = [
  { label: 'Fit of 60% or more', row: { column: 'icp', operator: 'at_least', value: 60 } },
  { label: 'Engaged more than once', row: { column: 'engagementCount', operator: 'at_least', value: 2 } },
]

const same = (one: EditedRow, other: EditedRow): boolean => JSON.stringify(one) === JSON.stringify(other)

type FilterProps = {
  readonly rows: readonly EditedRow[]
  readonly onRows: (rows: readonly EditedRow[]) => void
}

/** The usual filters, each a button that is pressed while it is in force. */
function Presets({ rows, onRows }: FilterProps): ReactNode {
  return presets.map(({ label, row }) => {
    const on = rows.some((each) => same(each, row))
    return (
      <Button
        key={label}
        size="sm"
        variant={on ? 'primary' : 'secondary'}
        aria-pressed={on}
        onClick={() => onRows(on ? rows.filter((each) => !same(each, row)) : [...rows, row])}
      >
        {label}
      </Button>
    )
  })
}

/** The window in which rows are edited; null: it is closed. */
function EditRows({
  rows: editing,
  onRows: setEditing,
  onClose,
  onApply,
}: {
  readonly rows: readonly EditedRow[] | null
  readonly onRows: (rows: readonly EditedRow[]) => void
  readonly onClose: () => void
  readonly onApply: (rows: readonly EditedRow[]) => void
}): ReactNode {
  const faults = rowFaults(agentColumns, editing ?? [])
  const isFaulty = Object.keys(faults).length > 0
  return (
    <Dialog
      open={editing !== null}
      onOpen={(open) => !open && onClose()}
      title="Filter leads"
      text="A lead must match every row."
      size="lg"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            reason={isFaulty && 'Correct what is marked first.'}
            onClick={() => editing !== null && !isFaulty && onApply(editing)}
          >
            Apply
          </Button>
        </>
      }
    >
      {editing && (
        <FilterRows
          columns={agentColumns}
          value={editing}
          onChange={setEditing}
          errors={faults}
          label="Filter leads"
          empty="No filter: everybody is shown."
        />
      )}
    </Dialog>
  )
}

/** Narrows an agent's leads: two usual filters at hand, any other in a window. */
export function LeadFilters({ rows, onRows }: FilterProps): ReactNode {
  const [editing, setEditing] = useState<readonly EditedRow[] | null>(null)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Presets rows={rows} onRows={onRows} />
      <Button size="sm" icon={<ListFilter aria-hidden="true" size={14} />} onClick={() => setEditing(rows)}>
        Filters{rows.length > 0 ? ` (${rows.length})` : ''}
      </Button>
      {rows
        .filter((row) => !presets.some((preset) => same(preset.row, row)))
        .map((row) => (
          <Badge key={JSON.stringify(row)}>{rowWords(row)}</Badge>
        ))}
      {rows.length > 0 && (
        <Button size="sm" variant="ghost" onClick={() => onRows([])}>
          Show all
        </Button>
      )}
      <EditRows
        rows={editing}
        onRows={setEditing}
        onClose={() => setEditing(null)}
        onApply={(next) => {
          onRows(next)
          setEditing(null)
        }}
      />
    </div>
  )
}
