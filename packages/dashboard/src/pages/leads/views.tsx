import { Bookmark, Columns3 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useWrite, useRead } from '../../api/hooks.ts'
import { searches } from '../../app/searches.ts'
import { readStored, writeStored } from '../../app/stored.ts'
import { Button, useRefusal } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import type { Address } from './address.ts'
import type { ColumnChoiceProps } from './column-choice.tsx'
import { drawn, readColumns, writeColumns, type ShownColumn } from './columns.tsx'
import type { Search } from './filters.ts'

const place = 'leads.columns'

/** The grid's columns: from the address (a saved view), else from this browser, else the default. A change sets both. */
export function useShownColumns<T>(address: Address, all: readonly Column<T>[], usual: readonly string[]) {
  const known = useMemo(() => all.map(({ id }) => id), [all])
  const [kept, setKept] = useState(() => readColumns(readStored(place) ?? undefined, known))
  const usualColumns = useMemo(() => usual.map((id): ShownColumn => ({ id })), [usual])
  const chosen = readColumns(address.search.columns, known) ?? kept ?? usualColumns
  const choose = (next: readonly ShownColumn[] | undefined) => {
    setKept(next)
    const text = next && writeColumns(next)
    address.change({ columns: text }, { replace: true })
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

// Loaded after the list, since they open from it.
const SaveDialog = lazyPart(() => import('./save-view.tsx').then((module) => module.SaveDialog), 0)
const ColumnChoice = lazyPart(() => import('./column-choice.tsx').then((module) => module.ColumnChoice))

export function ColumnChooser({ reset, ...columns }: ColumnChoiceProps & { reset: () => void }) {
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
        <ColumnChoice {...columns} />
      </Dialog>
    </span>
  )
}

const without = ({ lead: _, ...query }: Search): Search => query
const same = (a: Search, b: Search): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

export function Views({ address }: { address: Address }) {
  const [saving, setSaving] = useState(false)
  const [forgetting, setForgetting] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const { data } = useRead('listViews', {}, { staleTime: 60_000 })
  const forget = useWrite('deleteView', { done: 'View forgotten', quiet: true })
  const views = (data?.views ?? []).filter(({ page }) => page === 'leads')
  const here = without(address.search)
  const open = views.find((view) => same(searches.leads(view.query), here))
  const refusal = useRefusal()
  const entries: MenuEntry[] = [
    { heading: views.length === 0 ? 'No view is saved yet' : 'Saved views' },
    ...views.map((view) => ({
      label: view.name,
      checked: view === open,
      onSelect: () => address.show(searches.leads(view.query)),
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
      {saving && <SaveDialog onClose={() => setSaving(false)} query={here} />}
      <ConfirmDialog
        open={forgetting !== null}
        onClose={() => setForgetting(null)}
        title={`Forget “${forgetting?.name ?? ''}”?`}
        text="Nobody in the team will find it here any more. Leads are not changed."
        confirm="Forget view"
        danger
        onConfirm={() => forgetting && forget.mutateAsync({ id: forgetting.id })}
      />
    </>
  )
}
