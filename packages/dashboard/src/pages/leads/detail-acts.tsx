import { Send, Webhook } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { CampaignSendDialog } from '../../sends/index.ts'
import { RoleButton } from '../../ui/index.ts'
import type { Lead } from './columns.tsx'
import { PushDialog } from './push-dialog.tsx'

/** What can be done with one lead from its panel. */
export function DetailActs({ id, lead }: { readonly id: string; readonly lead: Lead }): ReactNode {
  const [open, setOpen] = useState<'push' | 'send' | null>(null)
  const leads = { by: 'ids' as const, ids: [id] }
  const close = () => setOpen(null)
  return (
    <>
      {lead.sourceId !== null && (
        <RoleButton needs="member" icon={<Webhook aria-hidden="true" size={16} />} onClick={() => setOpen('push')}>
          Send to webhook
        </RoleButton>
      )}
      <RoleButton needs="member" icon={<Send aria-hidden="true" size={16} />} onClick={() => setOpen('send')}>
        Send to campaign
      </RoleButton>
      {open === 'push' && <PushDialog leads={leads} onClose={close} />}
      {open === 'send' && (
        <CampaignSendDialog wantedFor={(campaignId) => ({ kind: 'campaign', campaignId, leads })} onClose={close} />
      )}
    </>
  )
}
