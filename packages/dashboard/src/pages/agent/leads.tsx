import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListFilter, Send, Webhook } from 'lucide-react'
import { useState } from 'react'
import { ask, keyOf, useRead, type InputOf, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { column, type Column } from '../../ui/columns.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterRows } from '../../ui/filter-rows.tsx'
import { agentColumns, rowFaults, rowWords, type EditedRow } from '../../ui/filter-words.ts'
import { WindowButton } from '../../ui/form.tsx'
import { count, countOf } from '../../ui/format.ts'
import { RecordList } from '../../ui/record-list.tsx'
import { Badge, Card, Meter, SaidBadge, Stats, type Emptiness } from '../../ui/show.tsx'
import { Avatar, Explained, TimeAgo } from '../../ui/text.tsx'
import type { FetchWindow } from '../../ui/windows.ts'
import { CampaignSendDialog, SendPreviewDialog } from '../../sends/index.ts'
import { leadName, signals, type Agent, type AgentLead } from './agent.ts'
import { LeadDetail } from './lead-detail.tsx'

function FirstRun({ page }: { page: ResultOf<'listAgentLeads'> }) {
  const { firstRun } = page
  return (
    <div className="flex flex-col gap-3">
      {!firstRun.done && firstRun.sourcesTotal > 0 && (
        <Card title="First run" text="Leads appear as they are captured; no need to reload.">
          <div className="flex flex-col gap-2 text-sm" aria-live="polite">
            <Meter label="Sources synced" value={firstRun.sourcesDone} max={firstRun.sourcesTotal} />
            <p className="text-muted">
              {firstRun.peopleReady
                ? 'The people to watch have been found.'
                : 'The search for people to watch is still running.'}
              {firstRun.enriching > 0 && ` Details of ${count(firstRun.enriching)} are being looked up.`}
            </p>
          </div>
        </Card>
      )}
      <Stats
        stats={[
          ['Leads ranked', count(page.total)],
          ['People captured', count(page.checked)],
          ['People being looked up', count(page.enriching)],
        ]}
      />
    </div>
  )
}

const leadColumns: readonly Column<AgentLead>[] = [
  column('Person', { width: 'minmax(130px, 2fr)' }, (row) => (
    <div className="flex items-center gap-2.5">
      <Avatar src={row.avatarUrl} name={leadName(row)} size={28} />
      <div className="min-w-0">
        <p className="truncate font-medium">{leadName(row)}</p>
        <p className="truncate text-[0.8125rem] text-muted">
          {row.enriching
            ? 'Details are being looked up'
            : [row.jobTitle, row.company].filter(Boolean).join(' at ') || 'No details'}
        </p>
      </div>
    </div>
  )),
  column('Fit', { width: '64px', align: 'end' }, (row) =>
    row.icp === null ? (
      <Explained className="text-muted" words="The profile has no criteria">
        –
      </Explained>
    ) : (
      `${row.icp}%`
    ),
  ),
  column('Signal', { width: '92px' }, (row) => <SaidBadge said={signals[row.signal]} />),
  column('Why', { width: 'minmax(140px, 2fr)', wide: true }, (row) => (
    <Explained words={row.signalReasons.join('; ')}>{row.signalReasons[0] ?? ''}</Explained>
  )),
  column('Engagements', { width: '110px', align: 'end', wide: true }, (row) => count(row.engagementCount)),
  column(
    'Country',
    { width: 'minmax(90px, 1fr)', wide: true },
    (row) => row.country ?? <span className="text-muted">unknown</span>,
  ),
  column('Last seen', { width: '120px', wide: true }, (row) => <TimeAgo at={row.detectedAt} />),
]

const isRow = (row: Partial<EditedRow> | null): boolean =>
  typeof row?.column === 'string' && typeof row.operator === 'string'

function rowsIn(text: string | undefined): readonly EditedRow[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? parsed.filter(isRow) : []
  } catch {
    return []
  }
}

const presets: readonly { readonly label: string; readonly row: EditedRow }[] = [
  { label: 'Fit of 60% or more', row: { column: 'icp', operator: 'at_least', value: 60 } },
  { label: 'Engaged more than once', row: { column: 'engagementCount', operator: 'at_least', value: 2 } },
]

const same = (one: EditedRow, other: EditedRow): boolean => JSON.stringify(one) === JSON.stringify(other)

type FilterProps = { readonly rows: readonly EditedRow[]; readonly onRows: (rows: readonly EditedRow[]) => void }

function FilterDialog({ rows, onRows, onClose }: FilterProps & { onClose: () => void }) {
  const [edited, setEdited] = useState(rows)
  const faults = rowFaults(agentColumns, edited)
  const apply = () => {
    onRows(edited)
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Filter leads"
      text="A lead must match every row."
      size="lg"
      cancel
      actions={
        <Button
          variant="primary"
          reason={Object.keys(faults).length > 0 && 'Correct the marked fields first.'}
          onClick={apply}
        >
          Apply
        </Button>
      }
    >
      <FilterRows
        columns={agentColumns}
        value={edited}
        onValue={setEdited}
        isTried
        label="Filter leads"
        empty="No filter: everybody is shown."
      />
    </Dialog>
  )
}

function LeadFilters({ rows, onRows }: FilterProps) {
  const [isEditing, setEditing] = useState(false)
  const others = rows.filter((row) => !presets.some((preset) => same(preset.row, row)))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {presets.map(({ label, row }) => {
        const on = rows.some((each) => same(each, row))
        return (
          <Button
            key={label}
            size="sm"
            variant={on ? 'primary' : 'secondary'}
            aria-pressed={on}
            onClick={() => onRows(on ? rows.filter((each) => !same(each, row)) : [...rows, row])}
          >
            {label}
          </Button>
        )
      })}
      <Button size="sm" icon={ListFilter} onClick={() => setEditing(true)}>
        Filters{rows.length > 0 ? ` (${rows.length})` : ''}
      </Button>
      {others.map((row) => (
        <Badge key={JSON.stringify(row)}>{rowWords(row)}</Badge>
      ))}
      {rows.length > 0 && (
        <Button size="sm" variant="ghost" onClick={() => onRows([])}>
          Show all
        </Button>
      )}
      {isEditing && <FilterDialog rows={rows} onRows={onRows} onClose={() => setEditing(false)} />}
    </div>
  )
}

function Chosen({ agent, ids, onSend }: { agent: Agent; ids: readonly string[]; onSend: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <WindowButton
        size="sm"
        reason={agent.webhook === null && 'Set a webhook under “Where leads go” first.'}
        icon={Webhook}
        opens={(close) => (
          <SendPreviewDialog
            title="Send to the webhook of the agent"
            text="No lead is delivered twice, and no credits are used."
            wanted={{ kind: 'agent', agentId: agent.id, ...(ids.length > 0 ? { ids: [...ids] } : {}) }}
            onClose={close}
          />
        )}
      >
        {ids.length > 0 ? `Push ${ids.length}` : 'Push all'} to the webhook
      </WindowButton>
      <RoleButton size="sm" reason={ids.length === 0 && 'Choose people first.'} icon={Send} onClick={onSend}>
        Send to campaign
      </RoleButton>
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

const nobody = (isFiltered: boolean, isActive: boolean, onAll: () => void): Emptiness =>
  isFiltered
    ? {
        title: 'Nobody matches',
        text: 'Loosen the filters to see more people.',
        action: <Button onClick={onAll}>Show everybody</Button>,
      }
    : {
        title: 'No leads yet',
        text: isActive
          ? 'The agent is at work. People appear here as they are captured.'
          : 'Start the agent, and the people it captures appear here.',
      }

function useFiltered(agentId: string) {
  const { filters } = useSearch({ from: '/signed-in/team/agent' })
  const navigate = useNavigate({ from: '/agent' })
  const rows = rowsIn(filters)
  const input: InputOf<'listAgentLeads'> = { agentId, ...(rows.length > 0 ? { filters: JSON.stringify(rows) } : {}) }
  const onRows = (next: typeof rows) =>
    void navigate({
      search: ({ filters: _, ...before }) => ({
        ...before,
        ...(next.length > 0 ? { filters: JSON.stringify(next) } : {}),
      }),
    })
  return { rows, onRows, input }
}

export function Leads({ agent }: { agent: Agent }) {
  const { rows, onRows, input } = useFiltered(agent.id)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<AgentLead | null>(null)
  const [sending, setSending] = useState(false)
  const head = useRead('listAgentLeads', { ...input, limit: 1 }, { keepPrevious: true })
  const fetchWindow: FetchWindow<AgentLead> = async (offset, limit, signal) => {
    const page = await ask('listAgentLeads', { ...input, limit, offset }, { signal })
    return { rows: page.leads, total: page.total, hasMore: page.hasMore }
  }
  return (
    <div className="flex flex-col gap-4">
      {head.data && <FirstRun page={head.data} />}
      <LeadFilters rows={rows} onRows={onRows} />
      <Chosen agent={agent} ids={[...selected]} onSend={() => setSending(true)} />
      <RecordList
        label="Leads of the agent"
        columns={leadColumns}
        queryKey={keyOf('agent', 'leads', input)}
        fetchWindow={fetchWindow}
        rowLabel={leadName}
        onOpen={setOpen}
        openId={open?.id}
        selection={{ selected, onSelected: setSelected }}
        empty={nobody(rows.length > 0, agent.status === 'active', () => onRows([]))}
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
