import { Send, Webhook } from 'lucide-react'
import { useState } from 'react'
import { CampaignSendDialog, SendPreviewDialog, type Wanted } from '../../sends/index.ts'
import { SelectField } from '../../ui/field.tsx'
import { choicesOf, WindowButton } from '../../ui/form.tsx'

type Push = Extract<Wanted, { kind: 'push' }>
type Fit = NonNullable<Push['fit']>

const fits = choicesOf<Fit>({
  webhook: 'As each webhook is set',
  fits: 'Only those who fit',
  all: 'All that are chosen',
})

function PushDialog({ leads, onClose }: { leads: Push['leads']; onClose: () => void }) {
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

export type Chosen = Exclude<Push['leads'], { by: 'source' }>

export function SendActs({ leads, push, size = 'md' }: { leads: Chosen; push: boolean; size?: 'sm' | 'md' }) {
  return (
    <>
      {push && (
        <WindowButton size={size} icon={Webhook} opens={(close) => <PushDialog leads={leads} onClose={close} />}>
          Send to webhook
        </WindowButton>
      )}
      <WindowButton
        size={size}
        icon={Send}
        opens={(close) => (
          <CampaignSendDialog wantedFor={(campaignId) => ({ kind: 'campaign', campaignId, leads })} onClose={close} />
        )}
      >
        Send to campaign
      </WindowButton>
    </>
  )
}
