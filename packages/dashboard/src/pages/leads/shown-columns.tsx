import { Columns3 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, Checkbox, Dialog, type Column } from '../../ui/index.ts'

function remembered(place: string, usual: readonly string[]): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return Array.isArray(kept) && kept.length > 0 ? kept.filter((id) => typeof id === 'string') : usual
  } catch {
    return usual
  }
}

/** The columns the reader has chosen, kept in this browser; the first always stays. */
export function useShownColumns<T>(place: string, all: readonly Column<T>[], usual: readonly string[]) {
  const [ids, setIds] = useState(() => remembered(place, usual))
  const choose = (next: readonly string[]) => {
    setIds(next)
    try {
      localStorage.setItem(place, JSON.stringify(next))
    } catch {
      // Storage may be forbidden: the choice then lasts for this page alone.
    }
  }
  const shown = all.filter((column, index) => index === 0 || ids.includes(column.id))
  return {
    shown,
    choose,
    toggle: (id: string, on: boolean) => choose(on ? [...ids, id] : ids.filter((each) => each !== id)),
    reset: () => choose(usual),
  }
}

/** A button that opens the choice of columns. */
export function ColumnChooser<T>({
  all,
  shown,
  toggle,
  reset,
}: {
  readonly all: readonly Column<T>[]
  readonly shown: readonly Column<T>[]
  readonly toggle: (id: string, on: boolean) => void
  readonly reset: () => void
}): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <span className="max-sm:hidden">
      <Button icon={<Columns3 aria-hidden="true" size={16} />} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog
        open={open}
        onOpen={setOpen}
        size="sm"
        title="Columns"
        text="Kept in this browser."
        actions={
          <>
            <Button onClick={reset}>Reset</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          </>
        }
      >
        <div className="grid grid-cols-2 gap-3">
          {all.slice(1).map((column) => (
            <Checkbox
              key={column.id}
              label={column.header}
              checked={shown.includes(column)}
              onChecked={(on) => toggle(column.id, on)}
            />
          ))}
        </div>
      </Dialog>
    </span>
  )
}
