import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send, Webhook } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, keyOf, useV1Query, type V1Input } from '../../api/index.ts'
import { Button, EmptyState, RoleButton, VirtualTable, countOf, type FetchWindow } from '../../ui/index.ts'
import { CampaignSendDialog, SendPreviewDialog } from '../../sends/index.ts'
import type { Agent } from './agent.ts'
import { FirstRun } from './first-run.tsx'
import { leadColumns } from './lead-columns.tsx'
import { LeadDetail } from './lead-detail.tsx'
import { LeadFilters, rowsIn } from './lead-filters.tsx'
import { leadName, type AgentLead } from './lead.ts'

function Chosen({
  agent,
  ids,
  onSend,
}: {
  readonly agent: Agent
  readonly ids: readonly string[]
  readonly onSend: () => void
}): ReactNode {
  const [pushing, setPushing] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <RoleButton
        needs="member"
        size="sm"
        reason={agent.webhook === null && 'Set a webhook under “Where leads go” first.'}
        icon={<Webhook aria-hidden="true" size={14} />}
        onClick={() => setPushing(true)}
      >
        {ids.length > 0 ? `Push ${ids.length}` : 'Push all'} to the webhook
      </RoleButton>
      <RoleButton
        needs="member"
        size="sm"
        reason={ids.length === 0 && 'Choose people first.'}
        icon={<Send aria-hidden="true" size={14} />}
        onClick={onSend}
      >
        Send to campaign
      </RoleButton>
      {pushing && (
        <SendPreviewDialog
          title="Send to the webhook of the agent"
          text="Nobody is delivered twice, and no credits are used."
          wanted={{ kind: 'agent', agentId: agent.id, ...(ids.length > 0 ? { ids: [...ids] } : {}) }}
          onClose={() => setPushing(false)}
        />
      )}
      <span className="text-[0.8125rem] text-muted" role="status">
        {ids.length > 0
          ? `${countOf(ids.length, 'person', 'people')} chosen`
          : agent.webhook === null
            ? 'No webhook is set: set one under “Where leads go”.'
            : 'Choose people to send them to a campaign.'}
      </span>
    </div>
  )
}

/** Why nobody is listed: the filters, or the agent has captured nobody yet. */
function Nobody({
  isFiltered,
  isActive,
  onAll,
}: {
  readonly isFiltered: boolean
  readonly isActive: boolean
  readonly onAll: () => void
}): ReactNode {
  if (isFiltered)
    return (
      <EmptyState
        title="Nobody matches"
        text="Loosen the filters to see more people."
        action={<Button onClick={onAll}>Show everybody</Button>}
      />
    )
  return (
    <EmptyState
      title="No leads yet"
      text={
        isActive
          ? 'The agent is at work. People appear here as they are captured.'
          : 'Start the agent, and the people it captures appear here.'
      }
    />
  )
}

/** The filters of the list, kept in the address, and the list's query. */
function useFiltered(agentId: string) {
  const { filters } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const rows = rowsIn(filters)
  const input: V1Input<'listAgentLeads'> = {
    agentId,
    ...(rows.length > 0 ? { filters: JSON.stringify(rows) } : {}),
  }
  const onRows = (next: typeof rows) =>
    void navigate({
      search: ({ filters: _, ...before }) => ({
        ...before,
        ...(next.length > 0 ? { filters: JSON.stringify(next) } : {}),
      }),
    })
  return { rows, onRows, input }
}

/** The leads of an agent, ranked by fit, then signal, then newest. */
export function Leads({ agent }: { readonly agent: Agent }): ReactNode {
  const { rows, onRows, input } = useFiltered(agent.id)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<AgentLead | null>(null)
  const [sending, setSending] = useState(false)
  const head = useV1Query('listAgentLeads', { ...input, limit: 1 }, { topic: 'agent', keepPrevious: true })
  const fetchWindow: FetchWindow<AgentLead> = async (offset, limit, signal) => {
    const page = await api.v1('listAgentLeads', { ...input, limit, offset }, { signal })
    return { rows: page.leads, total: page.total, hasMore: page.hasMore }
  }
  return (
    <div className="flex flex-col gap-4">
      {head.data && <FirstRun page={head.data} />}
      <LeadFilters rows={rows} onRows={onRows} />
      <Chosen agent={agent} ids={[...selected]} onSend={() => setSending(true)} />
      <VirtualTable
        label="Leads of the agent"
        columns={leadColumns}
        queryKey={keyOf('agent', 'leads', input)}
        fetchWindow={fetchWindow}
        rowId={(row) => row.id}
        rowLabel={leadName}
        onOpen={setOpen}
        openId={open?.id}
        selection={{ selected, onSelected: setSelected }}
        empty={<Nobody isFiltered={rows.length > 0} isActive={agent.status === 'active'} onAll={() => onRows([])} />}
      />
      <LeadDetail lead={open} onClose={() => setOpen(null)} />
      {sending && (
        <CampaignSendDialog
          wantedFor={(campaignId) => ({
            kind: 'campaign',
            campaignId,
            agentId: agent.id,
            leads: { by: 'ids', ids: [...selected] },
          })}
          onClose={() => setSending(false)}
        />
      )}
    </div>
  )
}
