import { ArrowDown, ArrowUp, Bookmark, Columns3, Pin, PinOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSessionMutation, useSessionQuery } from '../../api/hooks.ts'
import { readStored, writeStored } from '../../app/stored.ts'
import {
  Button,
  Checkbox,
  ConfirmDialog,
  Dialog,
  IconButton,
  Menu,
  Select,
  useRefusal,
  type Column,
  type MenuEntry,
  TextField,
} from '../../ui/index.ts'
import type { Address } from './address.ts'
import { drawn, moveColumn, readColumns, widths, writeColumns, type ShownColumn } from './columns.tsx'
import { search as read, type Search } from './search.ts'

const place = 'leads.columns'

/**
 * The columns of the grid: those of the address, which a saved view keeps; else those this browser has kept; else those shown at
 * first. A choice is written to both.
 */
export function useShownColumns<T>(address: Address, all: readonly Column<T>[], usual: readonly string[]) {
  const known = useMemo(() => all.map(({ id }) => id), [all])
  const [kept, setKept] = useState(() => readColumns(readStored(place) ?? undefined, known))
  const usualColumns = useMemo(() => usual.map((id): ShownColumn => ({ id })), [usual])
  const chosen = readColumns(address.search.columns, known) ?? kept ?? usualColumns
  const choose = (next: readonly ShownColumn[] | undefined) => {
    setKept(next)
    const text = next && writeColumns(next)
    address.change({ columns: text }, true)
    writeStored(place, text ?? null)
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

type ChooserProps<T> = {
  readonly all: readonly Column<T>[]
  readonly chosen: readonly ShownColumn[]
  readonly choose: (next: readonly ShownColumn[]) => void
  readonly reset: () => void
}

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
            <Checkbox key={id} label={header} value={false} onValue={() => choose([...chosen, { id }])} />
          ))}
        </fieldset>
      )}
    </>
  )
}

export function ColumnChooser<T>({ reset, ...columns }: ChooserProps<T>) {
  const [open, setOpen] = useState(false)
  return (
    <span className="max-sm:hidden">
      <Button icon={Columns3} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
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

function useSaveView(query: Search, onClose: () => void) {
  const [name, setName] = useState('')
  const save = useSessionMutation('saveView', {
    refreshes: ['settings'],
    done: 'View saved for the team',
    quiet: true,
    onSuccess: () => close(),
  })
  const close = () => {
    save.reset()
    setName('')
    onClose()
  }
  const submit = () =>
    save.mutate({ page: 'leads', name: name.trim(), query: query as Record<string, string | boolean> })
  return { name, setName, save, close, submit }
}

function SaveDialog({ open, onClose, query }: { open: boolean; onClose: () => void; query: Search }) {
  const { name, setName, save, close, submit } = useSaveView(query, onClose)
  return (
    <Dialog
      open={open}
      onClose={close}
      size="sm"
      title="Save this view"
      text="The list with its filters, under a name that the whole team sees."
      cancel
      actions={
        <Button
          variant="primary"
          busy={save.isPending}
          reason={name.trim() === '' && 'Type a name first.'}
          onClick={submit}
        >
          Save view
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') submit()
        }}
      >
        <TextField
          label="Name"
          hint="A view of the same name is replaced."
          error={save.error?.message}
          value={name}
          maxLength={80}
          onValue={setName}
          placeholder="Fits, not delivered"
        />
      </form>
    </Dialog>
  )
}

export function Views({ address }: { address: Address }) {
  const [saving, setSaving] = useState(false)
  const [forgetting, setForgetting] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const { data } = useSessionQuery('listViews', {}, { topic: 'settings', staleTime: 60_000 })
  const forget = useSessionMutation('deleteView', { refreshes: ['settings'], done: 'View forgotten', quiet: true })
  const views = (data?.views ?? []).filter(({ page }) => page === 'leads')
  const here = without(address.search)
  const open = views.find((view) => same(read(view.query), here))
  const refusal = useRefusal()
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
          <Button icon={Bookmark}>
            <span className="max-w-32 truncate">{open?.name ?? 'Views'}</span>
          </Button>
        }
        entries={entries}
      />
      <SaveDialog open={saving} onClose={() => setSaving(false)} query={here} />
      <ConfirmDialog
        open={forgetting !== null}
        onClose={() => setForgetting(null)}
        title={`Forget “${forgetting?.name ?? ''}”?`}
        text="Nobody in the team will find it here any more. No lead is touched."
        confirm="Forget view"
        danger
        onConfirm={() => forgetting && forget.mutateAsync({ id: forgetting.id })}
      />
    </>
  )
}
