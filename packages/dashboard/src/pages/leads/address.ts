import { useMemo } from 'react'
import { useAddress as useAddressOf } from '../../app/address.ts'
import { filterNames, filtersIn } from './filters.ts'
import type { Search } from './search.ts'

const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]))
const noneOf = (search: Search) => Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))

/** What the page's address says, and ways to change it; a change of filters can be undone by the browser's Back. */
export function useAddress() {
  const { search, change, tabs } = useAddressOf('/signed-in/team/leads')
  const filters = useMemo(() => filtersIn(search), [search])
  return {
    ...{ search, filters, change, tabs },
    /** Shows what a saved view keeps, and nothing else. */
    show: (view: Search) => change({ ...noneOf(search), ...view }),
    clear: () => change(noFilters),
  }
}

export type Address = ReturnType<typeof useAddress>
