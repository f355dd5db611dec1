import { useWrite } from '../../api/index.ts'
import { RoleButton, useRefusal } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { FormFields, useTried, type FormField } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Card } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { CampaignForm } from '../outreach/rule-form.tsx'
import { addressField } from '../sources/settings.tsx'
import { rowsOf, type Agent } from './agent.ts'

function Campaign({ agent: { id: agentId, outreach: stored } }: { agent: Agent }) {
  const refusal = useRefusal()
  const save = useWrite('updateAgent', {
    quiet: true,
    onSuccess: ({ outreachHistoric }) =>
      toast.good(
        'The campaign was saved',
        outreachHistoric && `${countOf(outreachHistoric.queued, 'person', 'people')} of earlier leads will be sent.`,
      ),
  })
  return (
    <Card title="Outreach campaign" text="Leads become recipients of a campaign.">
      <CampaignForm
        columns={agentColumns}
        stored={stored}
        reason={refusal}
        error={save.error}
        busy={save.isPending}
        submit="Save the campaign"
        onSubmit={({ filters, pushHistoric, ...rule }, onDone) => {
          const outreach = { ...rule, filters: rowsOf(filters), ...(pushHistoric ? { pushHistoric } : {}) }
          save.mutate({ agentId, outreach }, { onSuccess: onDone })
        }}
        buttons={(clear) =>
          stored && (
            <RoleButton
              busy={save.isPending}
              onClick={() => save.mutate({ agentId, outreach: null }, { onSuccess: clear })}
            >
              Stop sending
            </RoleButton>
          )
        }
      />
    </Card>
  )
}

type Webhook = { readonly url: string; readonly autoSend: boolean; readonly filters: readonly EditedRow[] }

function WebhookForm({ agent: { id: agentId, webhook: stored } }: { agent: Agent }) {
  const [form, change] = useForm<Webhook>(stored ?? { url: '', autoSend: true, filters: [] })
  const save = useWrite('updateAgent', { quiet: true, done: 'The webhook was saved' })
  const fields: readonly FormField<Webhook>[] = [
    {
      ...addressField,
      hint: stored ? (
        <>
          Set <TimeAgo at={stored.since} />. Leads captured before that are sent only when you push them.
        </>
      ) : (
        'A public https address of your system.'
      ),
      error: save.error?.message,
    },
    { name: 'autoSend', label: 'Send new leads by themselves', hint: 'Off: only leads you push are sent.' },
    {
      name: 'filters',
      label: 'Which leads are sent',
      columns: agentColumns,
      empty: 'Every lead is sent. Add rows to send only those that match all of them.',
    },
  ]
  const { isTried, attempt } = useTried(fields, form)
  const webhook = { url: form.url.trim(), autoSend: form.autoSend, filters: rowsOf(form.filters) }
  return (
    <Card title="Webhook" text="Leads are sent to your own system, signed." stack>
      <FormFields fields={fields} form={form} onChange={change} isTried={isTried} />
      <div className="flex flex-wrap gap-2">
        <RoleButton
          variant="primary"
          busy={save.isPending}
          reason={webhook.url === '' && 'Type an address first.'}
          onClick={() => attempt(() => save.mutate({ agentId, webhook }))}
        >
          Save the webhook
        </RoleButton>
        {stored && (
          <RoleButton
            busy={save.isPending}
            onClick={() => save.mutate({ agentId, webhook: null }, { onSuccess: () => change({ url: '' }) })}
          >
            Remove it
          </RoleButton>
        )}
      </div>
    </Card>
  )
}

export function Delivery({ agent }: { agent: Agent }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <WebhookForm key={`webhook ${agent.id}`} agent={agent} />
      <Campaign key={`campaign ${agent.id}`} agent={agent} />
    </div>
  )
}
