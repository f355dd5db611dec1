import { useMemo } from 'react'
import { useAddress as useAddressOf } from '../../app/address.ts'
import { filterNames, filtersIn, type Search } from './filters.ts'

const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]))
const noneOf = (search: Search) => Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))

/** The page's search parameters and ways to change them; Back undoes a change of filters. */
export function useAddress() {
  const { search, change, tabs } = useAddressOf('/signed-in/team/leads')
  const filters = useMemo(() => filtersIn(search), [search])
  return {
    ...{ search, filters, change, tabs },
    show: (view: Search) => change({ ...noneOf(search), ...view }),
    clear: () => change(noFilters),
  }
}

export type Address = ReturnType<typeof useAddress>
