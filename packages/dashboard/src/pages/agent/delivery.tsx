import { useState } from 'react'
import { bounds } from 'virtual:values'
import { hasCode, useV1Mutation, useV1Query } from '../../api/index.ts'
import {
  agentColumns,
  Button,
  Card,
  countOf,
  EmptyState,
  ErrorState,
  FilterRows,
  RoleButton,
  rowFaults,
  Skeleton,
  Switch,
  TimeAgo,
  toast,
  type Choice,
  type EditedRow,
  type Reason,
  LinkButton,
  SelectField,
  TextField,
} from '../../ui/index.ts'
import { rowsOf, type Agent } from './agent.ts'

function SaveOrRemove({
  busy,
  reason,
  save,
  remove,
  onSave,
  onRemove,
}: {
  busy: boolean
  reason: Reason
  save: string
  remove: string
  onSave: () => void
  /** Undefined: nothing is stored yet. */
  onRemove: (() => void) | undefined
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <RoleButton needs="member" variant="primary" busy={busy} reason={reason} onClick={onSave}>
        {save}
      </RoleButton>
      {onRemove && (
        <RoleButton needs="member" busy={busy} onClick={onRemove}>
          {remove}
        </RoleButton>
      )}
    </div>
  )
}

type Campaigns = readonly { readonly id: string; readonly name: string; readonly canTakeLeads: boolean }[]

/** What to choose from: the stored campaign stays, also where it is over or takes nobody. */
function choicesOf(campaigns: Campaigns, picked: string): readonly Choice[] {
  const known = picked === '' || campaigns.some(({ id }) => id === picked)
  return [
    { value: '', label: 'Choose a campaign', disabled: true },
    ...(known ? [] : [{ value: picked, label: `Campaign ${picked} (over, or gone)` }]),
    ...campaigns.map(({ id, name, canTakeLeads }) => ({
      value: id,
      label: canTakeLeads ? name : `${name} (takes no leads yet)`,
      disabled: !canTakeLeads && id !== picked,
    })),
  ]
}

function useSave() {
  return useV1Mutation('updateAgent', {
    quiet: true,
    refreshes: ['agent', 'outreach'],
    onSuccess: ({ outreachHistoric }) =>
      toast.good(
        'The campaign was saved',
        outreachHistoric && `${countOf(outreachHistoric.queued, 'person', 'people')} of earlier leads will be sent.`,
      ),
  })
}

function useForm(agent: Agent) {
  const stored = agent.outreach
  const [picked, setPicked] = useState(stored?.campaignId ?? '')
  const [autoSend, setAutoSend] = useState(stored?.autoSend ?? true)
  const [historic, setHistoric] = useState(false)
  const [filters, setFilters] = useState<readonly EditedRow[]>(stored?.filters ?? [])
  const save = useSave()
  const outreach = {
    campaignId: picked,
    autoSend,
    filters: rowsOf(filters),
    ...(historic ? { pushHistoric: true } : {}),
  }
  return {
    ...{ picked, setPicked, autoSend, setAutoSend, historic, setHistoric, filters, setFilters, save },
    // Once: the next save sends those before it only when asked again.
    submit: () => save.mutate({ agentId: agent.id, outreach }, { onSuccess: () => setHistoric(false) }),
    remove: stored
      ? () => save.mutate({ agentId: agent.id, outreach: null }, { onSuccess: () => setPicked('') })
      : undefined,
  }
}

function Form({ agent, campaigns }: { agent: Agent; campaigns: Campaigns }) {
  const form = useForm(agent)
  const { picked, save, filters } = form
  const faults = rowFaults(agentColumns, filters)
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="Campaign"
        hint="Read live from the outreach platform."
        error={save.error?.message}
        value={picked}
        onValue={form.setPicked}
        choices={choicesOf(campaigns, picked)}
      />
      <Switch value={form.autoSend} onValue={form.setAutoSend} label="Send new leads by themselves" />
      <Switch value={form.historic} onValue={form.setHistoric} label="Also send leads captured before, once" />
      <FilterRows
        columns={agentColumns}
        value={filters}
        onChange={form.setFilters}
        errors={faults}
        label="Which leads are sent to the campaign"
        empty="Every lead is sent. Add rows to send only those that match all of them."
      />
      <SaveOrRemove
        busy={save.isPending}
        reason={
          picked === '' ? 'Choose a campaign first.' : Object.keys(faults).length > 0 && 'Correct what is marked first.'
        }
        save="Save the campaign"
        remove="Stop sending"
        onSave={form.submit}
        onRemove={form.remove}
      />
    </div>
  )
}

function Campaign({ agent }: { agent: Agent }) {
  const { data, error, isPending, refetch } = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  const connect = (
    <LinkButton to="/settings" search={{ tab: 'credentials' }}>
      Open the key settings
    </LinkButton>
  )
  return (
    <Card title="Outreach campaign" text="Leads become recipients of a campaign.">
      {isPending && <Skeleton lines={3} />}
      {hasCode(error, 'not_connected') && (
        <EmptyState
          title="Outreach is not connected"
          text="Store the key of your outreach platform to send leads to its campaigns."
          action={connect}
        />
      )}
      {hasCode(error, 'invalid_key') && (
        <EmptyState title="The outreach platform refuses the stored key" text="Store a good one." action={connect} />
      )}
      {error && !hasCode(error, 'not_connected') && !hasCode(error, 'invalid_key') && (
        <ErrorState error={error} retry={() => void refetch()} />
      )}
      {data && <Form agent={agent} campaigns={data.campaigns} />}
    </Card>
  )
}

type Rows = readonly EditedRow[]

function Address({
  stored,
  value,
  error,
  onValue,
}: {
  stored: Agent['webhook']
  value: string
  error: string | undefined
  onValue: (value: string) => void
}) {
  const hint = stored ? (
    <>
      Set <TimeAgo at={stored.since} />. Leads captured before that go only when you push them.
    </>
  ) : (
    'A public https address of your system.'
  )
  return (
    <TextField
      label="Address"
      hint={hint}
      error={error}
      inputMode="url"
      maxLength={bounds.webhookUrl}
      placeholder="https://hooks.example.com/leads"
      value={value}
      onValue={onValue}
    />
  )
}

function WebhookForm({ agent }: { agent: Agent }) {
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
          value={autoSend}
          onValue={setAutoSend}
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

export function Delivery({ agent, onSkip }: { agent: Agent; onSkip?: () => void }) {
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
