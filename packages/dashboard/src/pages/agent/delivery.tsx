import { bounds } from 'virtual:values'
import { useWrite } from '../../api/index.ts'
import { RoleButton, useRefusal } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { bound, Switch, TextField } from '../../ui/field.tsx'
import { FilterRows, useRowFaults } from '../../ui/filter-rows.tsx'
import { agentColumns, type EditedRow } from '../../ui/filter-words.ts'
import { countOf } from '../../ui/format.ts'
import { Card } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { CampaignForm } from '../outreach/rule-form.tsx'
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

function WebhookForm({ agent: { id: agentId, webhook: stored } }: { agent: Agent }) {
  const [form, change] = useForm({
    url: stored?.url ?? '',
    autoSend: stored?.autoSend ?? true,
    filters: stored?.filters ?? ([] as readonly EditedRow[]),
  })
  const { url, autoSend, filters } = form
  const { errors, attempt } = useRowFaults(agentColumns, filters)
  const save = useWrite('updateAgent', { quiet: true, done: 'The webhook was saved' })
  const webhook = { url: url.trim(), autoSend, filters: rowsOf(filters) }
  return (
    <Card title="Webhook" text="Leads are sent to your own system, signed." stack>
      <TextField
        label="Address"
        hint={
          stored ? (
            <>
              Set <TimeAgo at={stored.since} />. Leads captured before that are sent only when you push them.
            </>
          ) : (
            'A public https address of your system.'
          )
        }
        error={save.error?.message}
        inputMode="url"
        maxLength={bounds.webhookUrl}
        placeholder="https://hooks.example.com/leads"
        {...bound(form, change, 'url')}
      />
      <Switch
        {...bound(form, change, 'autoSend')}
        label="Send new leads by themselves"
        hint="Off: only leads you push are sent."
      />
      <FilterRows
        columns={agentColumns}
        value={filters}
        onChange={(rows) => change({ filters: rows })}
        errors={errors}
        label="Which leads are sent"
        empty="Every lead is sent. Add rows to send only those that match all of them."
      />
      <div className="flex flex-wrap gap-2">
        <RoleButton
          variant="primary"
          busy={save.isPending}
          reason={url.trim() === '' && 'Type an address first.'}
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
