import { deliveryStates } from '@les/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { Building2, Compass, Radar, Search, User, Webhook, type LucideIcon } from 'lucide-react'
import { ask } from '../api/api.ts'
import { keyOf } from '../api/hooks.ts'
import { isUuid } from '../app/search.ts'
import { useSettled } from '../ui/edited.ts'
import { companiesIn, maxFound, named } from './found.ts'

export type Line = {
  readonly icon: LucideIcon
  readonly label: string
  /** Distinguishes lines of one label. */
  readonly value?: string
  /** Further words that find it. */
  readonly words?: string
  readonly aside?: string
  readonly run: () => unknown
}

export type Group = { readonly heading: string; readonly lines: readonly Line[] }

const minLetters = 2

/** Rows and the text they were found by (`by`), which may still be the previous one. */
type FoundBy<T> = { readonly by: string; readonly rows: readonly T[] }

const nothing: FoundBy<never> = { by: '', rows: [] }
const listed = (parts: readonly (string | null | false)[]): string => parts.filter(Boolean).join(', ')

/**
 * Finds leads and their deliveries, companies, sources, searches and Discover runs by name, from two letters on. The last results
 * stay while a new text is asked about, so that Enter opens what the reader saw.
 */
function useAnswers(text: string) {
  const enabled = text.length >= minLetters
  const asking = <T>(key: readonly string[], staleTime: number, run: (signal: AbortSignal) => Promise<T>) => ({
    queryKey: keyOf('leads', 'palette', ...key),
    queryFn: ({ signal }: { signal: AbortSignal }) => run(signal),
    enabled,
    staleTime,
  })
  const askingByText = <T>(key: string, run: (signal: AbortSignal) => Promise<readonly T[]>) => ({
    ...asking([key, text], 10_000, async (signal): Promise<FoundBy<T>> => ({ by: text, rows: await run(signal) })),
    placeholderData: keepPreviousData<FoundBy<T>>,
  })
  const shown = <T>(found: FoundBy<T> | undefined): FoundBy<T> => (enabled && found) || nothing
  const people = useQuery(
    askingByText('people', async (signal) => {
      const asked = { name: text, limit: maxFound, includeSyncing: true, includeInactive: true }
      return (await ask('listLeads', asked, { signal })).leads
    }),
  )
  const leads = shown(people.data)
  const leadIds = leads.rows.map(({ id }) => id).join(',')
  const deliveries = useQuery({
    ...asking(['deliveries', leadIds], 10_000, (signal) =>
      ask('listDeliveries', { leadIds, limit: String(maxFound) }, { signal }),
    ),
    enabled: leadIds !== '',
  })
  const companies = useQuery(
    askingByText('companies', async (signal) => {
      // One company may have many leads; the newest hundred usually name five companies.
      const asked = { company: text, limit: 100, includeSyncing: true, includeInactive: true }
      return companiesIn((await ask('listLeads', asked, { signal })).leads)
    }),
  )
  const sources = useQuery(
    asking(['sources', ''], 60_000, (signal) =>
      ask('listSourceHealth', { includeInactive: 'true', limit: '200' }, { signal }),
    ),
  )
  const runs = useQuery(asking(['runs', ''], 60_000, (signal) => ask('listDiscoverRuns', {}, { signal })))
  return {
    leads,
    deliveries: leadIds === '' ? [] : (deliveries.data?.deliveries ?? []),
    companies: shown(companies.data),
    sources: enabled ? named(sources.data?.sources ?? [], text, ({ label, username }) => `${label} ${username}`) : [],
    runs: enabled ? named(runs.data?.runs ?? [], text, ({ keywords }) => keywords.join(' ')) : [],
  }
}

/** The results as groups of lines; `first`: the value of the first line found for the present text. */
export function useFound(typed: string): { readonly groups: readonly Group[]; readonly first: string | undefined } {
  const navigate = useNavigate()
  const go = (place: NavigateOptions) => () => navigate(place)
  const text = useSettled(typed.trim(), 200)
  const { leads, deliveries, companies, sources, runs } = useAnswers(text)
  const found: Readonly<Record<'leads' | 'companies' | 'sources' | 'runs', readonly Line[]>> = {
    leads: leads.rows.map((lead) => ({
      icon: User,
      label: lead.name ?? 'Name not known yet',
      value: `lead ${lead.id}`,
      words: leads.by,
      aside: listed([lead.jobTitle, lead.companyName]),
      run: go({ to: '/leads', search: { lead: lead.id } }),
    })),
    companies: companies.rows.map((company) => ({
      icon: Building2,
      label: company,
      value: `company ${company}`,
      words: companies.by,
      aside: 'its leads',
      run: go({ to: '/leads', search: { company } }),
    })),
    sources: sources.map(({ id, type, label, name, username, status }) => ({
      icon: type === 'keyword' ? Search : Radar,
      label,
      value: `source ${id}`,
      words: text,
      aside: listed([name !== null && name !== username && username, status === 'inactive' && 'stopped']),
      run: go({ to: '/sources/$id', params: { id } }),
    })),
    runs: runs.map(({ id, keywords }) => ({
      icon: Compass,
      label: keywords.join(', '),
      value: `run ${id}`,
      words: text,
      run: go({ to: '/discover/$id', params: { id } }),
    })),
  }
  const webhookOf = ({ id, label }: (typeof sources)[number]): Line => ({
    icon: Webhook,
    label: `Webhook of ${label}`,
    words: text,
    run: go({ to: '/sources/$id', params: { id }, search: { tab: 'webhook' } }),
  })
  const toDelivery = (delivery: string) => go({ to: '/webhooks', search: { tab: 'log', delivery } })
  const id = text.toLowerCase()
  const byId: readonly Line[] = [
    { icon: Webhook, label: `Delivery ${id}`, words: text, run: toDelivery(id) },
    { icon: User, label: `Lead ${id}`, words: text, run: go({ to: '/leads', search: { lead: id } }) },
  ]
  return {
    groups: [
      { heading: 'Leads', lines: found.leads },
      {
        heading: 'Deliveries',
        lines: deliveries.map((delivery) => ({
          icon: Webhook,
          label: `Delivery of ${delivery.leadName ?? 'a lead'}`,
          value: `delivery ${delivery.id}`,
          words: leads.by,
          aside: listed([deliveryStates[delivery.state].text, delivery.ownerLabel]),
          run: toDelivery(delivery.id),
        })),
      },
      { heading: 'Companies', lines: found.companies },
      { heading: 'Sources', lines: [...found.sources, ...(sources.length === 1 ? sources.map(webhookOf) : [])] },
      { heading: 'Discover runs', lines: found.runs },
      { heading: 'By id', lines: isUuid(text) ? byId : [] },
    ],
    first: Object.values(found)
      .flat()
      .find(({ words }) => words === text)?.value,
  }
}
