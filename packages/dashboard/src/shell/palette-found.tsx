import { deliveryStates } from '@les/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Building2, Compass, Radar, Search, User, Webhook, type LucideIcon } from 'lucide-react'
import { api } from '../api/api.ts'
import { keyOf } from '../api/hooks.ts'
import { useSettled } from '../ui/edited.ts'
import { companiesIn, most, named } from './found.ts'

const least = 2
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What was found, and by which text: what is shown may still be of the one before. */
type FoundBy<T> = { readonly by: string; readonly rows: readonly T[] }

const foundBy = <T,>(by: string, rows: readonly T[]): FoundBy<T> => ({ by, rows })

const nothing: FoundBy<never> = foundBy('', [])

/**
 * What the team has that is called like the text: leads by name and their deliveries, companies, sources, searches and Discover runs.
 * Nothing is asked for less than two letters. While more is asked about, what was found last stays: whoever presses Enter then goes where
 * they saw they would.
 */
export function useFound(typed: string) {
  const text = useSettled(typed.trim(), 200)
  const enabled = text.length >= least
  const ask = <T,>(key: readonly string[], staleTime: number, run: (signal: AbortSignal) => Promise<T>) => ({
    queryKey: keyOf('leads', 'palette', ...key),
    queryFn: ({ signal }: { signal: AbortSignal }) => run(signal),
    enabled,
    staleTime,
  })
  const askByText = <T,>(key: string, run: (signal: AbortSignal) => Promise<readonly T[]>) => ({
    ...ask([key, text], 10_000, async (signal) => foundBy(text, await run(signal))),
    placeholderData: keepPreviousData<FoundBy<T>>,
  })
  const shown = <T,>(found: FoundBy<T> | undefined): FoundBy<T> => (enabled && found) || nothing
  const people = useQuery(
    askByText('people', async (signal) => {
      const asked = { name: text, limit: most, includeSyncing: true, includeInactive: true }
      return (await api.v1('listLeads', asked, { signal })).leads
    }),
  )
  const leads = shown(people.data)
  const leadIds = leads.rows.map(({ id }) => id).join(',')
  const deliveries = useQuery({
    ...ask(['deliveries', leadIds], 10_000, (signal) =>
      api.session('listDeliveries', { leadIds, limit: String(most) }, { signal }),
    ),
    enabled: leadIds !== '',
  })
  const atCompany = useQuery(
    askByText('companies', async (signal) => {
      // Many leads may work at one company: the newest hundred name five companies more often than not.
      const asked = { company: text, limit: 100, includeSyncing: true, includeInactive: true }
      return companiesIn((await api.v1('listLeads', asked, { signal })).leads)
    }),
  )
  const sources = useQuery(
    ask(['sources', ''], 60_000, (signal) =>
      api.session('listSourceHealth', { includeInactive: 'true', limit: '200' }, { signal }),
    ),
  )
  const runs = useQuery(ask(['runs', ''], 60_000, (signal) => api.v1('listDiscoverRuns', {}, { signal })))
  return {
    text: enabled ? text : '',
    delivery: uuid.test(text) ? text.toLowerCase() : null,
    leads,
    deliveries: leadIds === '' ? [] : (deliveries.data?.deliveries ?? []),
    companies: shown(atCompany.data),
    sources: enabled ? named(sources.data?.sources ?? [], text, (source) => `${source.label} ${source.username}`) : [],
    runs: enabled ? named(runs.data?.runs ?? [], text, (run) => run.keywords.join(' ')) : [],
  }
}

export type Act = (action: () => unknown) => () => void

const line = 'flex cursor-default items-center gap-2.5 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-sunken'

/** A line of the palette: something to go to or to start. */
export function Line({
  icon: Icon,
  label,
  words = '',
  value,
  aside,
  onSelect,
}: {
  icon: LucideIcon
  label: string
  words?: string
  value?: string
  aside?: string | null
  onSelect: () => void
}) {
  return (
    <Command.Item value={value ?? label} keywords={[label, ...words.split(' ')]} onSelect={onSelect} className={line}>
      <Icon aria-hidden="true" size={16} className="text-muted" />
      <span className="min-w-0 truncate">{label}</span>
      {aside && <span className="ml-auto min-w-0 max-w-[45%] truncate text-[0.8125rem] text-muted">{aside}</span>}
    </Command.Item>
  )
}

type GroupProps = { readonly found: ReturnType<typeof useFound>; readonly act: Act }

function Leads({ found, act }: GroupProps) {
  const navigate = useNavigate()
  return (
    <Command.Group heading="Leads">
      {found.leads.rows.map((lead) => (
        <Line
          key={lead.id}
          icon={User}
          label={lead.name ?? 'Name not known yet'}
          value={`lead ${lead.id}`}
          words={found.leads.by}
          aside={[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}
          onSelect={act(() => navigate({ to: '/leads', search: { lead: lead.id } }))}
        />
      ))}
    </Command.Group>
  )
}

function Companies({ found, act }: GroupProps) {
  const navigate = useNavigate()
  return (
    <Command.Group heading="Companies">
      {found.companies.rows.map((company) => (
        <Line
          key={company}
          icon={Building2}
          label={company}
          value={`company ${company}`}
          words={found.companies.by}
          aside="its leads"
          onSelect={act(() => navigate({ to: '/leads', search: { company } }))}
        />
      ))}
    </Command.Group>
  )
}

function Deliveries({ found, act }: GroupProps) {
  const navigate = useNavigate()
  return (
    <Command.Group heading="Deliveries">
      {found.deliveries.map((delivery) => (
        <Line
          key={delivery.id}
          icon={Webhook}
          label={`Delivery of ${delivery.leadName ?? 'a lead'}`}
          value={`delivery ${delivery.id}`}
          words={found.leads.by}
          aside={[deliveryStates[delivery.state].text, delivery.ownerLabel].filter(Boolean).join(', ')}
          onSelect={act(() => navigate({ to: '/webhooks', search: { tab: 'log', delivery: delivery.id } }))}
        />
      ))}
    </Command.Group>
  )
}

function Sources({ found, act }: GroupProps) {
  const navigate = useNavigate()
  const only = found.sources.length === 1 ? found.sources[0] : undefined
  return (
    <Command.Group heading="Sources">
      {found.sources.map((source) => (
        <Line
          key={source.id}
          icon={source.type === 'keyword' ? Search : Radar}
          label={source.label}
          value={`source ${source.id}`}
          words={found.text}
          aside={[
            source.name === null || source.name === source.username ? null : source.username,
            source.status === 'inactive' && 'stopped',
          ]
            .filter(Boolean)
            .join(', ')}
          onSelect={act(() => navigate({ to: '/sources/$id', params: { id: source.id } }))}
        />
      ))}
      {only && (
        <Line
          icon={Webhook}
          label={`Webhook of ${only.label}`}
          words={found.text}
          onSelect={act(() => navigate({ to: '/sources/$id', params: { id: only.id }, search: { tab: 'webhook' } }))}
        />
      )}
    </Command.Group>
  )
}

function Runs({ found, act }: GroupProps) {
  const navigate = useNavigate()
  return (
    <Command.Group heading="Discover runs">
      {found.runs.map((run) => (
        <Line
          key={run.id}
          icon={Compass}
          label={run.keywords.join(', ')}
          value={`run ${run.id}`}
          words={found.text}
          onSelect={act(() => navigate({ to: '/discover/$id', params: { id: run.id } }))}
        />
      ))}
    </Command.Group>
  )
}

function ById({ found, act }: GroupProps) {
  const navigate = useNavigate()
  return (
    <Command.Group heading="By id">
      <Line
        icon={Webhook}
        label={`Delivery ${found.delivery}`}
        words={found.text}
        onSelect={act(() => navigate({ to: '/webhooks', search: { tab: 'log', delivery: found.delivery! } }))}
      />
      <Line
        icon={User}
        label={`Lead ${found.delivery}`}
        words={found.text}
        onSelect={act(() => navigate({ to: '/leads', search: { lead: found.delivery! } }))}
      />
    </Command.Group>
  )
}

/**
 * What the team has under what was typed: leads, their deliveries, companies, sources, runs, and what an id may be of. The list notices
 * lines that come, not what changes in one: what was found for another text is another line.
 */
export function Found({ found, act }: GroupProps) {
  const { leads, deliveries, companies, text } = found
  return (
    <>
      {leads.rows.length > 0 && <Leads key={`leads ${leads.by}`} found={found} act={act} />}
      {deliveries.length > 0 && <Deliveries key={`deliveries ${leads.by}`} found={found} act={act} />}
      {companies.rows.length > 0 && <Companies key={`companies ${companies.by}`} found={found} act={act} />}
      {found.sources.length > 0 && <Sources key={`sources ${text}`} found={found} act={act} />}
      {found.runs.length > 0 && <Runs key={`runs ${text}`} found={found} act={act} />}
      {found.delivery !== null && <ById key={found.delivery} found={found} act={act} />}
    </>
  )
}
