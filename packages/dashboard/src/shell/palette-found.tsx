import { useNavigate } from '@tanstack/react-router'
import { deliveryStates } from '@les/contract'
import { Command } from 'cmdk'
import { Building2, Compass, Radar, Search, User, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import type { useFound } from './find.ts'
import { Line, type Act } from './palette-line.tsx'

type GroupProps = { readonly found: ReturnType<typeof useFound>; readonly act: Act }

function Leads({ found, act }: GroupProps): ReactNode {
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

function Companies({ found, act }: GroupProps): ReactNode {
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

function Deliveries({ found, act }: GroupProps): ReactNode {
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

function Sources({ found, act }: GroupProps): ReactNode {
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

function Runs({ found, act }: GroupProps): ReactNode {
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

function ById({ found, act }: GroupProps): ReactNode {
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
export function Found({ found, act }: GroupProps): ReactNode {
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
