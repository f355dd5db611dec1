import { Bookmark } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSessionMutation, useSessionQuery } from '../../api/hooks.ts'
import { Button, ConfirmDialog, Dialog, Field, Input, Menu, useRefusal, type MenuEntry } from '../../ui/index.ts'
import type { Address } from './address.ts'
import { search as read, type Search } from './search.ts'

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

function SaveDialog({
  open,
  onOpen,
  query,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly query: Search
}): ReactNode {
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
export function Views({ address }: { readonly address: Address }): ReactNode {
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
    {
      label: 'Save this view…',
      reason: refusal,
      onSelect: () => setSaving(true),
    },
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
