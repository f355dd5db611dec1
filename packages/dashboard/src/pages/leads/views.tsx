import { ArrowDown, ArrowUp, Bookmark, Columns3, Pin, PinOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSessionMutation, useSessionQuery } from '../../api/hooks.ts'
import {
  Button,
  Checkbox,
  ConfirmDialog,
  Dialog,
  Field,
  IconButton,
  Input,
  Menu,
  Select,
  useRefusal,
  type Column,
  type MenuEntry,
} from '../../ui/index.ts'
import type { Address } from './address.ts'
import { drawn, moveColumn, readColumns, widths, writeColumns, type ShownColumn } from './columns.tsx'
import { search as read, type Search } from './search.ts'

const place = 'les.leads.columns'

function remembered(known: readonly string[]): readonly ShownColumn[] | undefined {
  try {
    return readColumns(localStorage.getItem(place) ?? undefined, known)
  } catch {
    return undefined
  }
}

/**
 * The columns of the grid: those of the address, which a saved view keeps; else those this browser has kept; else those shown at
 * first. A choice is written to both.
 */
export function useShownColumns<T>(address: Address, all: readonly Column<T>[], usual: readonly string[]) {
  const known = useMemo(() => all.map(({ id }) => id), [all])
  const [kept, setKept] = useState(() => remembered(known))
  const usualColumns = useMemo(() => usual.map((id): ShownColumn => ({ id })), [usual])
  const chosen = readColumns(address.search.columns, known) ?? kept ?? usualColumns
  const choose = (next: readonly ShownColumn[] | undefined) => {
    setKept(next)
    const text = next && writeColumns(next)
    address.change({ columns: text }, true)
    try {
      if (text === undefined) localStorage.removeItem(place)
      else localStorage.setItem(place, text)
    } catch {
      // Storage may be forbidden: the choice is in the address all the same.
    }
  }
  const shown = drawn(chosen).flatMap(({ id, width, pinned }): Column<T>[] => {
    const column = all.find((each) => each.id === id)
    if (!column) return []
    const fixed = width ?? (pinned ? 200 : undefined)
    return [
      { ...column, ...(fixed === undefined ? {} : { width: `${fixed}px` }), ...(pinned ? { pinned: fixed! } : {}) },
    ]
  })
  return { shown, chosen, choose, reset: () => choose(undefined) }
}

const sizes = [
  { value: '', label: 'Automatic' },
  ...Object.entries(widths).map(([name, width]) => ({
    value: String(width),
    label: `${name[0]!.toUpperCase()}${name.slice(1)}`,
  })),
]

/** The buttons that move a column within the order. */
function Movers({
  name,
  first,
  last,
  onMove,
}: {
  name: string
  first: boolean
  last: boolean
  onMove: (by: -1 | 1) => void
}) {
  return (
    <>
      <IconButton
        size="sm"
        reason={first && 'It is the first column.'}
        label={`Move ${name} up`}
        icon={<ArrowUp aria-hidden="true" size={15} />}
        onClick={() => onMove(-1)}
      />
      <IconButton
        size="sm"
        reason={last && 'It is the last column.'}
        label={`Move ${name} down`}
        icon={<ArrowDown aria-hidden="true" size={15} />}
        onClick={() => onMove(1)}
      />
    </>
  )
}

function Row({
  name,
  column,
  first,
  last,
  onChange,
  onMove,
}: {
  name: string
  column: ShownColumn
  first: boolean
  last: boolean
  onChange: (column: ShownColumn | null) => void
  onMove: (by: -1 | 1) => void
}) {
  const { width: _, ...rest } = column
  const { pinned: __, ...unpinned } = column
  return (
    <li className="flex flex-wrap items-center gap-2 py-1.5">
      <span className="min-w-32 flex-1">
        <Checkbox label={name} checked onChecked={() => onChange(null)} />
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
        icon={column.pinned ? <PinOff aria-hidden="true" size={15} /> : <Pin aria-hidden="true" size={15} />}
        onClick={() => onChange(column.pinned ? unpinned : { ...column, pinned: true })}
      />
      <Movers name={name} first={first} last={last} onMove={onMove} />
    </li>
  )
}

/** Props of `ColumnChooser`. */
type ChooserProps<T> = {
  readonly all: readonly Column<T>[]
  readonly chosen: readonly ShownColumn[]
  readonly choose: (next: readonly ShownColumn[]) => void
  readonly reset: () => void
}

/** The columns that are shown, in their order, and those that could be. */
function Choice<T>({ all, chosen, choose }: Omit<ChooserProps<T>, 'reset'>) {
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
            <Checkbox key={id} label={header} checked={false} onChecked={() => choose([...chosen, { id }])} />
          ))}
        </fieldset>
      )}
    </>
  )
}

/** A button that opens the choice of columns, their order, their widths, and which stay in view. */
export function ColumnChooser<T>({ reset, ...columns }: ChooserProps<T>) {
  const [open, setOpen] = useState(false)
  return (
    <span className="max-sm:hidden">
      <Button icon={<Columns3 aria-hidden="true" size={16} />} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog
        open={open}
        onOpen={setOpen}
        size="md"
        title="Columns"
        text="Kept in this browser; saved with a view."
        actions={
          <>
            <Button onClick={reset}>Reset</Button>
            <Button variant="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          </>
        }
      >
        <Choice {...columns} />
      </Dialog>
    </span>
  )
}

const without = ({ lead: _, ...query }: Search): Search => query
const same = (a: Search, b: Search): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** The name that is typed, and the act that saves the view and closes the window. */
function useSaveView(query: Search, onOpen: (open: boolean) => void) {
  const [name, setName] = useState('')
  const save = useSessionMutation('saveView', {
    refreshes: ['settings'],
    done: 'View saved for the team',
    quiet: true,
    onSuccess: () => close(false),
  })
  const close = (next: boolean) => {
    save.reset()
    setName('')
    onOpen(next)
  }
  const submit = () =>
    save.mutate({ page: 'leads', name: name.trim(), query: query as Record<string, string | boolean> })
  return { name, setName, save, close, submit }
}

function SaveDialog({ open, onOpen, query }: { open: boolean; onOpen: (open: boolean) => void; query: Search }) {
  const { name, setName, save, close, submit } = useSaveView(query, onOpen)
  return (
    <Dialog
      open={open}
      onOpen={close}
      size="sm"
      title="Save this view"
      text="The list with its filters, under a name that the whole team sees."
      actions={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button
            variant="primary"
            busy={save.isPending}
            reason={name.trim() === '' && 'Type a name first.'}
            onClick={submit}
          >
            Save view
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') submit()
        }}
      >
        <Field label="Name" hint="A view of the same name is replaced." error={save.error?.message}>
          <Input
            value={name}
            maxLength={80}
            onChange={(event) => setName(event.target.value)}
            placeholder="Fits, not delivered"
          />
        </Field>
      </form>
    </Dialog>
  )
}

/** The saved views of the team: open one, save the present one, forget one. */
export function Views({ address }: { address: Address }) {
  const [saving, setSaving] = useState(false)
  const [forgetting, setForgetting] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const { data } = useSessionQuery('listViews', {}, { topic: 'settings', staleTime: 60_000 })
  const forget = useSessionMutation('deleteView', { refreshes: ['settings'], done: 'View forgotten', quiet: true })
  const views = (data?.views ?? []).filter(({ page }) => page === 'leads')
  const here = without(address.search)
  const open = views.find((view) => same(read(view.query), here))
  const refusal = useRefusal('member')
  const entries: MenuEntry[] = [
    { heading: views.length === 0 ? 'No view is saved yet' : 'Saved views' },
    ...views.map((view) => ({
      label: view.name,
      checked: view === open,
      onSelect: () => address.show(read(view.query)),
    })),
    'separator',
    { label: 'Save this view…', reason: refusal, onSelect: () => setSaving(true) },
    ...(open && refusal === null
      ? [{ label: `Forget “${open.name}”…`, danger: true, onSelect: () => setForgetting(open) }]
      : []),
  ]
  return (
    <>
      <Menu
        trigger={
          <Button icon={<Bookmark aria-hidden="true" size={16} />}>
            <span className="max-w-32 truncate">{open?.name ?? 'Views'}</span>
          </Button>
        }
        entries={entries}
      />
      <SaveDialog open={saving} onOpen={setSaving} query={here} />
      <ConfirmDialog
        open={forgetting !== null}
        onOpen={() => setForgetting(null)}
        title={`Forget “${forgetting?.name ?? ''}”?`}
        text="Nobody in the team will find it here any more. No lead is touched."
        confirm="Forget view"
        danger
        onConfirm={() => forgetting && forget.mutateAsync({ id: forgetting.id })}
      />
    </>
  )
}
