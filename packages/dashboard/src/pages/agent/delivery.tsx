import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useV1Mutation } from '../../api/index.ts'
import {
  Button,
  Card,
  Field,
  FilterRows,
  Input,
  RoleButton,
  Switch,
  TimeAgo,
  agentColumns,
  rowFaults,
  type EditedRow,
} from '../../ui/index.ts'
import type { Agent } from './agent.ts'
import { Campaign } from './campaign.tsx'
import { rowsOf } from './filter-rows.ts'

type Rows = readonly EditedRow[]

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
  return (
    <Card title="Webhook" text="Leads are sent to your own system, signed.">
      <div className="flex flex-col gap-4">
        <Field
          label="Address"
          hint={
            stored ? (
              <>
                Set <TimeAgo at={stored.since} />. Leads captured before that go only when you push them.
              </>
            ) : (
              'A public https address of your system.'
            )
          }
          error={save.error?.message}
        >
          <Input
            type="text"
            inputMode="url"
            maxLength={bounds.webhookUrl}
            placeholder="https://hooks.example.com/leads"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </Field>
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
        <div className="flex flex-wrap gap-2">
          <RoleButton
            needs="member"
            variant="primary"
            busy={save.isPending}
            reason={url.trim() === '' && 'Type an address first.'}
            onClick={submit}
          >
            Save the webhook
          </RoleButton>
          {stored && (
            <RoleButton
              needs="member"
              busy={save.isPending}
              onClick={() => save.mutate({ agentId: agent.id, webhook: null }, { onSuccess: () => setUrl('') })}
            >
              Remove it
            </RoleButton>
          )}
        </div>
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
