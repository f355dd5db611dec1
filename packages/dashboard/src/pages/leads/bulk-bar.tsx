import { Send, Webhook, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTeam } from '../../api/me.ts'
import { Button, count, countOf } from '../../ui/index.ts'
import type { Lead } from './columns.tsx'
import { PushDialog } from './push-dialog.tsx'
import { mostPicked, type Picked } from './selection.ts'
import { SendDialog } from './send-dialog.tsx'

type Row = { readonly id: string; readonly name: string | null }

/** What can be done with the chosen rows; `push` when they are leads, which have a source each. */
export function BulkBar<T extends Row>({
  picked,
  push = false,
}: {
  readonly picked: Picked<T>
  readonly push?: boolean
}): ReactNode {
  const team = useTeam()
  const [open, setOpen] = useState<'push' | 'send' | null>(null)
  const { rows } = picked
  if (rows.length === 0) return null
  const mayWrite = team.can('member')
  return (
    <section
      aria-label="Chosen rows"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-sm text-accent-text"
    >
      <span className="font-medium tabular-nums">
        {countOf(rows.length, push ? 'lead' : 'person', push ? 'leads' : 'people')} chosen
      </span>
      <Button size="sm" variant="ghost" busy={picked.gathering} onClick={() => void picked.gather()}>
        Choose all that match{rows.length < mostPicked ? ` (${count(mostPicked)} at most)` : ''}
      </Button>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {!mayWrite && <span>Only members may send leads; you are a viewer.</span>}
        {push && (
          <Button
            size="sm"
            disabled={!mayWrite}
            icon={<Webhook aria-hidden="true" size={15} />}
            onClick={() => setOpen('push')}
          >
            Send to webhook
          </Button>
        )}
        <Button
          size="sm"
          disabled={!mayWrite}
          icon={<Send aria-hidden="true" size={15} />}
          onClick={() => setOpen('send')}
        >
          Send to campaign
        </Button>
        <Button size="sm" variant="ghost" icon={<X aria-hidden="true" size={15} />} onClick={picked.clear}>
          Clear selection
        </Button>
      </span>
      {open === 'push' && <PushDialog leads={rows as unknown as readonly Lead[]} onClose={() => setOpen(null)} />}
      {open === 'send' && <SendDialog ids={rows.map(({ id }) => id)} onClose={() => setOpen(null)} />}
    </section>
  )
}
