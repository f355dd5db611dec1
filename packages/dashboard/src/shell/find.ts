import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { keyOf } from '../api/hooks.ts'
import { useSettled } from '../ui/use-settled.ts'
import { companiesIn, most, named } from './found.ts'

const least = 2
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What was found, and by which text: what is shown may still be of the one before. */
type FoundBy<T> = { readonly by: string; readonly rows: readonly T[] }

const foundBy = <T>(by: string, rows: readonly T[]): FoundBy<T> => ({ by, rows })

const nothing: FoundBy<never> = foundBy('', [])

/**
 * What the team has that is called like the text: leads by name and their deliveries, companies, sources, searches and Discover runs.
 * Nothing is asked for less than two letters. While more is asked about, what was found last stays: whoever presses Enter then goes where
 * they saw they would.
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
  const askByText = <T>(key: string, run: (signal: AbortSignal) => Promise<readonly T[]>) => ({
    ...ask([key, text], 10_000, async (signal) => foundBy(text, await run(signal))),
    placeholderData: keepPreviousData<FoundBy<T>>,
  })
  const shown = <T>(found: FoundBy<T> | undefined): FoundBy<T> => (enabled && found) || nothing
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
