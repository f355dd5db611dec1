import { Send, Webhook, X } from 'lucide-react'
import { useState } from 'react'
import { useTeam } from '../../api/me.ts'
import { asTexts, CampaignSendDialog, SendPreviewDialog, type Wanted } from '../../sends/index.ts'
import { Button, countOf, focusListNextTo, RoleButton, SelectField } from '../../ui/index.ts'
import type { Lead } from './columns.tsx'
import { leadInput, type Filters } from './filters.ts'
import type { Picked } from './lists.tsx'

type Fit = NonNullable<Extract<Wanted, { kind: 'push' }>['fit']>

const fits: readonly { readonly value: Fit; readonly label: string }[] = [
  { value: 'webhook', label: 'As each webhook is set' },
  { value: 'fits', label: 'Only those who fit' },
  { value: 'all', label: 'All that are chosen' },
]

function PushDialog({ leads, onClose }: { leads: Extract<Wanted, { kind: 'push' }>['leads']; onClose: () => void }) {
  const [fit, setFit] = useState<Fit>('webhook')
  return (
    <SendPreviewDialog
      title="Send to webhook"
      text="Each lead goes to the webhook of its source. Nothing is sent twice, and no credits are used."
      wanted={{ kind: 'push', leads, fit }}
      onClose={onClose}
    >
      <SelectField
        label="Who of the chosen"
        hint="A webhook can be set to take only people who fit."
        value={fit}
        onValue={setFit}
        choices={fits}
      />
    </SendPreviewDialog>
  )
}

export function DetailActs({ id, lead }: { id: string; lead: Lead }) {
  const [open, setOpen] = useState<'push' | 'send' | null>(null)
  const leads = { by: 'ids' as const, ids: [id] }
  const close = () => setOpen(null)
  return (
    <>
      {lead.sourceId !== null && (
        <RoleButton needs="member" icon={Webhook} onClick={() => setOpen('push')}>
          Send to webhook
        </RoleButton>
      )}
      <RoleButton needs="member" icon={Send} onClick={() => setOpen('send')}>
        Send to campaign
      </RoleButton>
      {open === 'push' && <PushDialog leads={leads} onClose={close} />}
      {open === 'send' && (
        <CampaignSendDialog wantedFor={(campaignId) => ({ kind: 'campaign', campaignId, leads })} onClose={close} />
      )}
    </>
  )
}

type Row = { readonly id: string; readonly name: string | null }

function HowMany({
  picked: { all, rows, matching },
  push,
}: {
  picked: Pick<Picked<Row>, 'all' | 'rows' | 'matching'>
  push: boolean
}) {
  return (
    <span className="font-medium tabular-nums" role="status">
      {all
        ? `All ${matching === null ? '' : `${matching} `}${push ? 'leads' : 'people'} that match are chosen`
        : `${countOf(rows.length, push ? 'lead' : 'person', push ? 'leads' : 'people')} chosen`}
    </span>
  )
}

/** Lets all rows go. The bar goes away with them: the focus goes back to the grid, not with the button. */
function Clear({ onClear }: { onClear: () => void }) {
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={X}
      onClick={(event) => {
        focusListNextTo(event.currentTarget.closest('section'))
        onClear()
      }}
    >
      Clear selection
    </Button>
  )
}

/** What can be done with the chosen rows, or with all that match; `push` when they are leads, which have a source each. */
export function BulkBar<T extends Row>({
  picked,
  filters,
  push = false,
}: {
  picked: Picked<T>
  filters: Filters
  push?: boolean
}) {
  const team = useTeam()
  const [open, setOpen] = useState<'push' | 'send' | null>(null)
  const { rows, all } = picked
  if (rows.length === 0 && !all) return null
  const leads = all
    ? ({ by: 'filters', filters: asTexts(leadInput(filters)) } as const)
    : ({ by: 'ids', ids: rows.map(({ id }) => id) } as const)
  const close = () => setOpen(null)
  return (
    <section
      aria-label="Chosen rows"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-sm text-accent-text"
    >
      <HowMany picked={picked} push={push} />
      {!all && (
        <Button size="sm" variant="ghost" onClick={picked.chooseAll}>
          Choose all that match
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {!team.can('member') && <span>Only members may send leads; you are a viewer.</span>}

        {push && (
          <RoleButton size="sm" needs="member" icon={Webhook} onClick={() => setOpen('push')}>
            Send to webhook
          </RoleButton>
        )}
        <RoleButton size="sm" needs="member" icon={Send} onClick={() => setOpen('send')}>
          Send to campaign
        </RoleButton>

        <Clear onClear={picked.clear} />
      </span>
      {open === 'push' && <PushDialog leads={leads} onClose={close} />}
      {open === 'send' && (
        <CampaignSendDialog wantedFor={(campaignId) => ({ kind: 'campaign', campaignId, leads })} onClose={close} />
      )}
    </section>
  )
}
