import { useRef, type RefObject } from 'react'

/** Which rows are chosen, by id. */
export type Selection = {
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
}

/** Choosing rows: one by one, a range from the row chosen last, or all that are loaded. */
export type Chosen<T> = {
  /** How many of the loaded rows are chosen, and how many are loaded. */
  readonly number: number
  readonly loaded: number
  readonly has: (id: string) => boolean
  readonly toggle: (row: T, index: number, range: boolean) => void
  /** Chooses from the row chosen last, else from this one, to another. */
  readonly chooseTo: (from: number, to: number) => void
  readonly chooseLoaded: (all: boolean) => void
  /** Whether Shift was held when a row was last clicked. */
  readonly shifted: RefObject<boolean>
}

/** The choosing of rows in a grid that offers it; null in others. */
export function useChosen<T>(
  selection: Selection | undefined,
  { loaded, rowAt }: { readonly loaded: readonly T[]; readonly rowAt: (index: number) => T | undefined },
  rowId: (row: T) => string,
): Chosen<T> | null {
  const shifted = useRef(false)
  /** Where a range begins: the row chosen last. */
  const anchor = useRef<number | null>(null)
  if (selection === undefined) return null
  const { selected, onSelected } = selection
  const ids = loaded.map(rowId)
  const chooseTo = (start: number, index: number) => {
    anchor.current ??= start
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
    const between = Array.from({ length: to - from + 1 }, (_, nth) => rowAt(from + nth)).flatMap((row) =>
      row === undefined ? [] : rowId(row),
    )
    onSelected(new Set([...selected, ...between]))
  }
  return {
    number: ids.filter((id) => selected.has(id)).length,
    loaded: ids.length,
    has: (id) => selected.has(id),
    toggle: (row, index, range) => {
      if (range && anchor.current !== null) return chooseTo(anchor.current, index)
      anchor.current = index
      const next = new Set(selected)
      if (!next.delete(rowId(row))) next.add(rowId(row))
      onSelected(next)
    },
    chooseTo,
    chooseLoaded: (all) =>
      onSelected(all ? new Set([...selected, ...ids]) : new Set([...selected].filter((id) => !ids.includes(id)))),
    shifted,
  }
}
