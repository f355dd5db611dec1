import { useQuery } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { keyOf } from '../api/hooks.ts'
import { useSettled } from '../ui/use-settled.ts'
import { companiesIn, most, named } from './found.ts'

const least = 2
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * What the team has that is called like the text: leads by name, companies, sources, searches and Discover runs.
 * Nothing is asked for less than two letters.
 */
export function useFound(typed: string) {
  const text = useSettled(typed.trim(), 200)
  const enabled = text.length >= least
  const ask = <T>(what: string, key: string, run: (signal: AbortSignal) => Promise<T>, staleTime: number) => ({
    queryKey: keyOf('leads', 'palette', what, key),
    queryFn: ({ signal }: { signal: AbortSignal }) => run(signal),
    enabled,
    staleTime,
  })
  const people = useQuery(
    ask(
      'people',
      text,
      (signal) =>
        api.v1('listLeads', { name: text, limit: most, includeSyncing: true, includeInactive: true }, { signal }),
      10_000,
    ),
  )
  const atCompany = useQuery(
    ask(
      'companies',
      text,
      (signal) => api.v1('listLeads', { company: text, limit: 20, includeSyncing: true }, { signal }),
      10_000,
    ),
  )
  const sources = useQuery(
    ask(
      'sources',
      '',
      (signal) => api.session('listSourceHealth', { includeInactive: 'true', limit: '200' }, { signal }),
      60_000,
    ),
  )
  const runs = useQuery(ask('runs', '', (signal) => api.v1('listDiscoverRuns', {}, { signal }), 60_000))
  return {
    text: enabled ? text : '',
    delivery: uuid.test(text) ? text.toLowerCase() : null,
    leads: enabled ? (people.data?.leads ?? []) : [],
    companies: enabled ? companiesIn(atCompany.data?.leads ?? []) : [],
    sources: enabled ? named(sources.data?.sources ?? [], text, (source) => `${source.label} ${source.username}`) : [],
    runs: enabled ? named(runs.data?.runs ?? [], text, (run) => run.keywords.join(' ')) : [],
  }
}
