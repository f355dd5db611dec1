import { sourceKindNames } from '@les/contract'
import { useMemo } from 'react'
import { useV1Query } from '../../api/hooks.ts'
import type { V1Result } from '../../api/types.ts'
import type { Choice } from '../../ui/index.ts'

type Source = V1Result<'listSources'>['sources'][number]

const longest = 60

/** What a source is called: its handle, or the start of a long one. */
export function sourceName(source: Pick<Source, 'type' | 'username' | 'status'>): string {
  const name = source.username.length > longest ? `${source.username.slice(0, longest)}…` : source.username
  return `${name} (${sourceKindNames[source.type].toLowerCase()}${source.status === 'inactive' ? ', no longer tracked' : ''})`
}

/** The sources that a list can be narrowed to, and their names by id. */
export function useSources() {
  const query = useV1Query('listSources', { includeInactive: true }, { topic: 'sources', staleTime: 60_000 })
  return useMemo(() => {
    const sources = query.data?.sources ?? []
    const types = new Map(sources.map(({ sourceId, type }) => [sourceId, type]))
    const names = new Map(sources.map((source) => [source.sourceId, sourceName(source)]))
    const choices: Choice[] = [
      { value: '', label: 'Any source' },
      ...[...sources]
        .sort((a, b) => a.status.localeCompare(b.status) || a.username.localeCompare(b.username))
        .map((source) => ({ value: source.sourceId, label: sourceName(source) })),
    ]
    return {
      isLoaded: query.data !== undefined,
      choices,
      tracked: sources.filter(({ status }) => status === 'active').length,
      nameOf: (id: string) => names.get(id) ?? 'a source',
      kindOf: (id: string) => types.get(id) ?? 'person',
    }
  }, [query.data])
}

/** The same as a type. */
export type Sources = ReturnType<typeof useSources>
