/**
 * What sources are called on every page: a person or a company by their name once it is known, else as they are tracked. Two of one name
 * are told apart by their handles.
 */
import { useMemo } from 'react'
import { useSessionQuery } from './hooks.ts'
import { toldApart } from './tell-apart.ts'
import type { SessionResult } from './types.ts'

/** A source with what it is called. */
export type NamedSource = SessionResult<'listSourceNames'>['sources'][number]

const none: readonly NamedSource[] = []

/**
 * The sources of the team, those no longer tracked among them. `nameOf` answers what one is called; `label`, what the row calls it, where
 * the names could not be had; nothing while they are loading, so that no row changes its words.
 */
export function useSourceNames() {
  const query = useSessionQuery('listSourceNames', {}, { topic: 'sources', staleTime: 60_000 })
  return useMemo(() => {
    const sources = toldApart(query.data?.sources ?? none)
    const byId = new Map(sources.map((source) => [source.id, source]))
    return {
      isLoaded: query.data !== undefined,
      sources,
      find: (id: string) => byId.get(id),
      nameOf: (id: string | null, label: string | null): string | null =>
        id === null ? label : query.isPending ? '' : (byId.get(id)?.label ?? label),
    }
  }, [query.data, query.isPending])
}
