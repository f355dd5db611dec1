import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation } from '../../api/index.ts'
import {
  Button,
  Card,
  Field,
  FilterRows,
  Input,
  Switch,
  TimeAgo,
  agentColumns,
  rowFaults,
  type EditedRow,
} from '../../ui/index.ts'
import type { Agent } from './agent.ts'
import { Campaign } from './campaign.tsx'
import { rowsOf } from './filter-rows.ts'
import { SaveOrRemove } from './save-or-remove.tsx'

type Rows = readonly EditedRow[]

function Address({
  stored,
  value,
  error,
  onValue,
}: {
  readonly stored: Agent['webhook']
  readonly value: string
  readonly error: string | undefined
  readonly onValue: (value: string) => void
}): ReactNode {
  const hint = stored ? (
    <>
      Set <TimeAgo at={stored.since} />. Leads captured before that go only when you push them.
    </>
  ) : (
    'A public https address of your system.'
  )
  return (
    <Field label="Address" hint={hint} error={error}>
      <Input
        type="text"
        inputMode="url"
        maxLength={bounds.webhookUrl}
        placeholder="https://hooks.example.com/leads"
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </Field>
  )
}

function WebhookForm({ agent }: { readonly agent: Agent }): ReactNode {
  const stored = agent.webhook
  const [url, setUrl] = useState(stored?.url ?? '')
  const [autoSend, setAutoSend] = useState(stored?.autoSend ?? true)
  const [filters, setFilters] = useState<Rows>(stored?.filters ?? [])
  const [tried, setTried] = useState(false)
  const save = useV1Mutation('updateAgent', {
    quiet: true,
    done: 'The webhook was saved',
    refreshes: ['agent', 'deliveries'],
  })
  const faults = rowFaults(agentColumns, filters)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length === 0)
      save.mutate({ agentId: agent.id, webhook: { url: url.trim(), autoSend, filters: rowsOf(filters) } })
  }
  const remove = () => save.mutate({ agentId: agent.id, webhook: null }, { onSuccess: () => setUrl('') })
  return (
    <Card title="Webhook" text="Leads are sent to your own system, signed.">
      <div className="flex flex-col gap-4">
        <Address stored={stored} value={url} error={save.error?.message} onValue={setUrl} />
        <Switch
          checked={autoSend}
          onChecked={setAutoSend}
          label="Send new leads by themselves"
          hint="Off: only what you push."
        />
        <FilterRows
          columns={agentColumns}
          value={filters}
          onChange={setFilters}
          errors={tried ? faults : {}}
          label="Which leads are sent"
          empty="Every lead is sent. Add rows to send only those that match all of them."
        />
        <SaveOrRemove
          busy={save.isPending}
          reason={url.trim() === '' && 'Type an address first.'}
          save="Save the webhook"
          remove="Remove it"
          onSave={submit}
          onRemove={stored ? remove : undefined}
        />
      </div>
    </Card>
  )
}

/** Where the agent's leads go: a webhook, a campaign, both, or nowhere but here. */
export function Delivery({ agent, onSkip }: { readonly agent: Agent; readonly onSkip?: () => void }): ReactNode {
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <WebhookForm key={`webhook ${agent.id}`} agent={agent} />
        <Campaign key={`campaign ${agent.id}`} agent={agent} />
      </div>
      {onSkip && (
        <div>
          <Button variant="ghost" onClick={onSkip}>
            Not now: I read the leads here
          </Button>
        </div>
      )}
    </div>
  )
}
