/** Orders of the sortable grid of leads, as bands. */

export type SortBy = 'captured' | 'name' | 'company' | 'fit' | 'engagement'

/** Up: A before Z, oldest first, fitting first, authors first; down: the reverse. Leads without the value are always last. */
export type Direction = 'up' | 'down'

/** Leads of one value, or all that have a value; an index gives the order within a band. */
export type Band =
  | { readonly of: 'time'; readonly direction: Direction }
  | { readonly of: 'text'; readonly column: 'name' | 'company_name'; readonly direction: Direction }
  | { readonly of: 'without'; readonly column: 'name' | 'company_name' }
  | { readonly of: 'fit'; readonly value: boolean | null }
  | { readonly of: 'engagement'; readonly value: 'Author' | 'Comment' | 'Like' }

/** The bands of an order, in sequence. */
export function bandsOf(by: SortBy, direction: Direction): readonly Band[] {
  const turn = <T>(list: readonly T[]): readonly T[] => (direction === 'up' ? list : list.toReversed())
  switch (by) {
    case 'captured':
      return [{ of: 'time', direction }]
    case 'name':
      return [
        { of: 'text', column: 'name', direction },
        { of: 'without', column: 'name' },
      ]
    case 'company':
      return [
        { of: 'text', column: 'company_name', direction },
        { of: 'without', column: 'company_name' },
      ]
    case 'fit':
      return [...turn([true, false]), null].map((value) => ({ of: 'fit', value }))
    case 'engagement':
      return turn(['Author', 'Comment', 'Like'] as const).map((value) => ({ of: 'engagement', value }))
  }
}
