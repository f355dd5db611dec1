import { useMemo } from 'react'
import { useRead } from './hooks.ts'
import type { ResultOf } from './types.ts'

/** Appends the handle to names that several sources share. */
export function distinguished<S extends { readonly label: string; readonly username: string }>(
  sources: readonly S[],
): readonly S[] {
  const shared = new Map<string, number>()
  for (const { label } of sources) shared.set(label, (shared.get(label) ?? 0) + 1)
  return sources.map((source) => {
    const { label, username } = source
    return (shared.get(label) ?? 0) > 1 && username !== label ? { ...source, label: `${label} · ${username}` } : source
  })
}

export type NamedSource = ResultOf<'listSourceNames'>['sources'][number]

const none: readonly NamedSource[] = []

function indexed(answered: readonly NamedSource[]) {
  const sources = distinguished(answered)
  return { sources, byId: new Map(sources.map((source) => [source.id, source])) }
}

const indexes = new WeakMap<readonly NamedSource[], ReturnType<typeof indexed>>()

/** Indexes an answer once, however many rows of a page ask. */
function indexOf(answered: readonly NamedSource[]): ReturnType<typeof indexed> {
  const index = indexes.get(answered) ?? indexed(answered)
  indexes.set(answered, index)
  return index
}

/**
 * The team's sources, untracked ones included. `labelOf` answers a source's name, or `label`, the row's own, if names are not
 * loaded; `nameOf` answers nothing while loading, so that no row changes its words.
 */
export function useSourceNames() {
  const query = useRead('listSourceNames', {}, { staleTime: 60_000 })
  return useMemo(() => {
    const { sources, byId } = indexOf(query.data?.sources ?? none)
    const labelOf = <L extends string | null>(id: string | null, label: L): string | L =>
      (id === null ? undefined : byId.get(id)?.label) ?? label
    return {
      isLoaded: query.data !== undefined,
      sources,
      find: (id: string) => byId.get(id),
      labelOf,
      nameOf: (id: string | null, label: string | null): string | null =>
        id !== null && query.isPending ? '' : labelOf(id, label),
    }
  }, [query.data, query.isPending])
}
