import { sourceKindNames } from '@les/contract'
import { useMemo } from 'react'
import { useSourceNames, type NamedSource } from '../../api/index.ts'
import type { Choice } from '../../ui/index.ts'

const longest = 60

/** What a source is called in a list of choices, or the start of a long name. */
export function sourceName({ type, label, status }: Pick<NamedSource, 'type' | 'label' | 'status'>): string {
  const name = label.length > longest ? `${label.slice(0, longest)}…` : label
  return `${name} (${sourceKindNames[type].toLowerCase()}${status === 'inactive' ? ', no longer tracked' : ''})`
}

/** The sources that a list can be narrowed to, and their names by id. */
export function useSources() {
  const { sources, isLoaded, find } = useSourceNames()
  return useMemo(() => {
    const choices: Choice[] = [
      { value: '', label: 'Any source' },
      ...[...sources]
        .sort((a, b) => a.status.localeCompare(b.status) || a.label.localeCompare(b.label))
        .map((source) => ({ value: source.id, label: sourceName(source) })),
    ]
    const nameOf = (id: string): string => {
      const source = find(id)
      return source === undefined ? 'a source' : sourceName(source)
    }
    return {
      isLoaded,
      choices,
      tracked: sources.filter(({ status }) => status === 'active').length,
      nameOf,
      kindOf: (id: string) => find(id)?.type ?? 'person',
    }
  }, [sources, isLoaded, find])
}

/** The same as a type. */
export type Sources = ReturnType<typeof useSources>
