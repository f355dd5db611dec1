import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { count, useFirstWindow, type ListWindow, type Selection } from '../../ui/index.ts'

/** Rows that are chosen; they stay known when the list scrolls on. `all`: whatever the filters choose, loaded or not. */
export type Picked<T> = {
  readonly rows: readonly T[]
  readonly all: boolean
  /** How many the filters choose, as far as is known, with «+» where more may. */
  readonly matching: string | null
  readonly selection: Selection
  readonly clear: () => void
  readonly chooseAll: () => void
}

/** A set that holds every row there is. */
class Everything extends Set<string> {
  override has(): boolean {
    return true
  }
}
const everything: ReadonlySet<string> = new Everything()

/** Chosen rows of a long list; another list, or other filters, begin with none. */
export function usePicked<T extends { readonly id: string }>(queryKey: readonly unknown[]): Picked<T> {
  const client = useQueryClient()
  const name = JSON.stringify(queryKey)
  const [kept, setKept] = useState<{
    readonly of: string
    readonly rows: ReadonlyMap<string, T>
    readonly all: boolean
  }>({ of: name, rows: new Map(), all: false })
  const picked = useMemo(() => (kept.of === name ? kept.rows : new Map<string, T>()), [kept, name])
  const all = kept.of === name && kept.all
  const first = useFirstWindow<T>(queryKey)
  const setPicked = (rows: ReadonlyMap<string, T>, isAll = false) => setKept({ of: name, rows, all: isAll })
  const selected = useMemo(() => (all ? everything : new Set(picked.keys())), [all, picked])
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
  return {
    rows: [...picked.values()],
    all,
    matching: first === undefined ? null : `${count(first.total)}${first.totalExact === false ? '+' : ''}`,
    selection: { selected, onSelected },
    clear: () => setPicked(new Map()),
    chooseAll: () => setPicked(new Map(), true),
  }
}
