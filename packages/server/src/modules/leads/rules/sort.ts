/** Pure: the orders of the grid of leads, as bands that follow each other; within a band an index gives the order. */

/** What the grid is sorted by. */
export type SortBy = 'captured' | 'name' | 'company' | 'fit' | 'engagement'

/** Up: A before Z, oldest first, who fits first, authors first; down: the reverse. Leads without the value come last, either way. */
export type Direction = 'up' | 'down'

/** Rows of one value, or all that have one. */
export type Band =
  | { readonly of: 'time'; readonly direction: Direction }
  | { readonly of: 'text'; readonly column: 'name' | 'company_name'; readonly direction: Direction }
  | { readonly of: 'without'; readonly column: 'name' | 'company_name' }
  | { readonly of: 'fit'; readonly value: boolean | null }
  | { readonly of: 'engagement'; readonly value: 'Author' | 'Comment' | 'Like' }

/** The bands of an order, in their order. */
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

/** What of a lead says where it stands in an order. */
type Sorted = {
  readonly name: string | null
  readonly company_name: string | null
  readonly is_icp: boolean | null
  readonly engagement_type: 'Author' | 'Comment' | 'Like'
}

/** True for the band that a lead stands in. */
export function isInBand(band: Band, lead: Sorted): boolean {
  switch (band.of) {
    case 'time':
      return true
    case 'text':
      return lead[band.column] !== null
    case 'without':
      return lead[band.column] === null
    case 'fit':
      return lead.is_icp === band.value
    case 'engagement':
      return lead.engagement_type === band.value
  }
}
