import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Building2, Compass, Radar, Search, User, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import type { useFound } from './find.ts'
import { Line, type Act } from './palette-line.tsx'

/** What the team has under what was typed: leads, companies, sources, runs, and what an id may be of. */
export function Found({ found, act }: { readonly found: ReturnType<typeof useFound>; readonly act: Act }): ReactNode {
  const navigate = useNavigate()
  const only = found.sources.length === 1 ? found.sources[0] : undefined
  return (
    <>
      {found.leads.length > 0 && (
        <Command.Group heading="Leads">
          {found.leads.map((lead) => (
            <Line
              key={lead.id}
              icon={User}
              label={lead.name ?? 'Name not known yet'}
              value={`lead ${lead.id}`}
              words={found.text}
              aside={[lead.jobTitle, lead.companyName].filter(Boolean).join(', ')}
              onSelect={act(() => navigate({ to: '/leads', search: { lead: lead.id } }))}
            />
          ))}
        </Command.Group>
      )}
      {found.companies.length > 0 && (
        <Command.Group heading="Companies">
          {found.companies.map((company) => (
            <Line
              key={company}
              icon={Building2}
              label={company}
              value={`company ${company}`}
              words={found.text}
              aside="its leads"
              onSelect={act(() => navigate({ to: '/leads', search: { company } }))}
            />
          ))}
        </Command.Group>
      )}
      {found.sources.length > 0 && (
        <Command.Group heading="Sources">
          {found.sources.map((source) => (
            <Line
              key={source.id}
              icon={source.type === 'keyword' ? Search : Radar}
              label={source.label}
              value={`source ${source.id}`}
              words={found.text}
              aside={source.status === 'inactive' ? 'stopped' : null}
              onSelect={act(() => navigate({ to: '/sources/$id', params: { id: source.id } }))}
            />
          ))}
          {only && (
            <Line
              icon={Webhook}
              label={`Webhook of ${only.label}`}
              words={found.text}
              onSelect={act(() =>
                navigate({ to: '/sources/$id', params: { id: only.id }, search: { tab: 'webhook' } }),
              )}
            />
          )}
        </Command.Group>
      )}
      {found.runs.length > 0 && (
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
      )}
      {found.delivery !== null && (
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
      )}
    </>
  )
}
