import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { hasCode, useV1Mutation, useV1Query } from '../../api/index.ts'
import {
  Card,
  EmptyState,
  ErrorState,
  Field,
  FilterRows,
  Select,
  Skeleton,
  Switch,
  agentColumns,
  buttonClass,
  countOf,
  rowFaults,
  toast,
  type Choice,
  type EditedRow,
} from '../../ui/index.ts'
import type { Agent } from './agent.ts'
import { rowsOf } from './filter-rows.ts'
import { SaveOrRemove } from './save-or-remove.tsx'

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

/** What is chosen of an agent's campaign, and what saves or removes it. */
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

function Form({ agent, campaigns }: { readonly agent: Agent; readonly campaigns: Campaigns }): ReactNode {
  const form = useForm(agent)
  const { picked, save, filters } = form
  const faults = rowFaults(agentColumns, filters)
  return (
    <div className="flex flex-col gap-4">
      <Field label="Campaign" hint="Read live from the outreach platform." error={save.error?.message}>
        <Select value={picked} onValue={form.setPicked} choices={choicesOf(campaigns, picked)} />
      </Field>
      <Switch checked={form.autoSend} onChecked={form.setAutoSend} label="Send new leads by themselves" />
      <Switch checked={form.historic} onChecked={form.setHistoric} label="Also send leads captured before, once" />
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

/** Sends an agent's leads to a campaign of the outreach platform. */
export function Campaign({ agent }: { readonly agent: Agent }): ReactNode {
  const { data, error, isPending, refetch } = useV1Query('listCampaigns', {}, { topic: 'outreach', staleTime: 30_000 })
  const connect = (
    <Link to="/settings" search={{ tab: 'credentials' }} className={buttonClass()}>
      Open the key settings
    </Link>
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
