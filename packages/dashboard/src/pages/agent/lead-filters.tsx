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
  { label: 'Fit of 60 % or more', row: { column: 'icp', operator: 'at_least', value: 60 } },
  { label: 'Engaged more than once', row: { column: 'engagementCount', operator: 'at_least', value: 2 } },
]

const same = (one: EditedRow, other: EditedRow): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Narrows an agent's leads: two usual filters at hand, any other in a window. */
export function LeadFilters({
  rows,
  onRows,
}: {
  readonly rows: readonly EditedRow[]
  readonly onRows: (rows: readonly EditedRow[]) => void
}): ReactNode {
  const [editing, setEditing] = useState<readonly EditedRow[] | null>(null)
  const faults = rowFaults(agentColumns, editing ?? [])
  const apply = () => {
    if (editing === null || Object.keys(faults).length > 0) return
    onRows(editing)
    setEditing(null)
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {presets.map(({ label, row }) => {
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
      })}
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
      <Dialog
        open={editing !== null}
        onOpen={(open) => !open && setEditing(null)}
        title="Filter leads"
        text="A lead must match every row."
        size="lg"
        actions={
          <>
            <Button onClick={() => setEditing(null)}>Cancel</Button>
            <Button
              variant="primary"
              reason={Object.keys(faults).length > 0 && 'Correct what is marked first.'}
              onClick={apply}
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
    </div>
  )
}
