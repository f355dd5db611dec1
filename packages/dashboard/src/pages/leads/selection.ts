import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { toast, type FetchWindow, type ListWindow, type Selection } from '../../ui/index.ts'

/** Rows that are chosen; they stay known when the list scrolls on. */
export type Picked<T> = {
  readonly rows: readonly T[]
  readonly selection: Selection
  readonly clear: () => void
  readonly gather: () => Promise<void>
  readonly gathering: boolean
}

/** Most rows that "choose all" takes: as many as one send to a campaign takes. */
export const mostPicked = 1_000

const step = 100

/** Chosen rows of a long list; another list, or other filters, begin with none. */
export function usePicked<T extends { readonly id: string }>(
  queryKey: readonly unknown[],
  fetchWindow: FetchWindow<T>,
): Picked<T> {
  const client = useQueryClient()
  const name = JSON.stringify(queryKey)
  const [kept, setKept] = useState<{ readonly of: string; readonly rows: ReadonlyMap<string, T> }>({
    of: name,
    rows: new Map(),
  })
  const [gathering, setGathering] = useState(false)
  const picked = useMemo(() => (kept.of === name ? kept.rows : new Map<string, T>()), [kept, name])
  const setPicked = (rows: ReadonlyMap<string, T>) => setKept({ of: name, rows })
  const latest = useRef(name)
  latest.current = name
  const selected = useMemo(() => new Set(picked.keys()), [picked])
  const onSelected = (next: ReadonlySet<string>) => {
    const loaded = new Map(
      client
        .getQueriesData<ListWindow<T>>({ queryKey })
        .flatMap(([, page]) => page?.rows ?? [])
        .map((row) => [row.id, row]),
    )
    setPicked(
      new Map(
        [...next]
          .map((id) => [id, picked.get(id) ?? loaded.get(id)] as const)
          .filter((entry): entry is [string, T] => entry[1] !== undefined),
      ),
    )
  }
  const gather = async () => {
    setGathering(true)
    try {
      const rows: T[] = []
      const { signal } = new AbortController()
      for (let offset = 0; offset < mostPicked; offset += step) {
        const page = await fetchWindow(offset, step, signal)
        rows.push(...page.rows)
        if (!page.hasMore) break
      }
      if (latest.current === name) setPicked(new Map(rows.slice(0, mostPicked).map((row) => [row.id, row])))
    } catch (error) {
      toast.bad('Not all could be chosen', error instanceof Error ? error.message : undefined)
    } finally {
      setGathering(false)
    }
  }
  return {
    rows: [...picked.values()],
    selection: { selected, onSelected },
    clear: () => setPicked(new Map()),
    gather,
    gathering,
  }
}
