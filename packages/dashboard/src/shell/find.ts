import { useQuery } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { keyOf } from '../api/hooks.ts'
import { useSettled } from '../ui/use-settled.ts'
import { companiesIn, most, named } from './found.ts'

const least = 2
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * What the team has that is called like the text: leads by name and their deliveries, companies, sources, searches and Discover runs.
 * Nothing is asked for less than two letters.
 */
export function useFound(typed: string) {
  const text = useSettled(typed.trim(), 200)
  const enabled = text.length >= least
  const ask = <T>(key: readonly string[], staleTime: number, run: (signal: AbortSignal) => Promise<T>) => ({
    queryKey: keyOf('leads', 'palette', ...key),
    queryFn: ({ signal }: { signal: AbortSignal }) => run(signal),
    enabled,
    staleTime,
  })
  const people = useQuery(
    ask(['people', text], 10_000, (signal) =>
      api.v1('listLeads', { name: text, limit: most, includeSyncing: true, includeInactive: true }, { signal }),
    ),
  )
  const leadIds = (people.data?.leads ?? []).map(({ id }) => id).join(',')
  const deliveries = useQuery({
    ...ask(['deliveries', leadIds], 10_000, (signal) =>
      api.session('listDeliveries', { leadIds, limit: String(most) }, { signal }),
    ),
    enabled: enabled && leadIds !== '',
  })
  const atCompany = useQuery(
    ask(['companies', text], 10_000, (signal) =>
      api.v1('listLeads', { company: text, limit: 20, includeSyncing: true }, { signal }),
    ),
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
    leads: enabled ? (people.data?.leads ?? []) : [],
    deliveries: enabled && leadIds !== '' ? (deliveries.data?.deliveries ?? []) : [],
    companies: enabled ? companiesIn(atCompany.data?.leads ?? []) : [],
    sources: enabled ? named(sources.data?.sources ?? [], text, (source) => `${source.label} ${source.username}`) : [],
    runs: enabled ? named(runs.data?.runs ?? [], text, (run) => run.keywords.join(' ')) : [],
  }
}
