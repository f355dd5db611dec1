import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { compact } from '../../app/search.ts'
import { filterNames, filtersIn, type Filters } from './filters.ts'
import type { Search } from './search.ts'

const route = getRouteApi('/signed-in/team/leads')

/** A change of the address; `undefined` takes a parameter out. */
export type Patch = { readonly [Name in keyof Search]?: Search[Name] | undefined }

/** What the page's address says, and ways to change it; a change of filters can be undone by the browser's Back. */
export function useAddress() {
  const search: Search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback(
    (patch: Patch, replace = false) =>
      void navigate({ search: (before) => compact({ ...before, ...patch }) as Search, replace, resetScroll: false }),
    [navigate],
  )
  const show = useCallback((query: Search) => void navigate({ search: () => query, resetScroll: false }), [navigate])
  const filters = useMemo(() => filtersIn(search), [search])
  const clear = useCallback(() => change(Object.fromEntries(filterNames.map((name) => [name, undefined]))), [change])
  return { search, filters, change, show, clear }
}

export type Address = {
  readonly search: Search
  readonly filters: Filters
  readonly change: (patch: Patch, replace?: boolean) => void
  readonly show: (query: Search) => void
  readonly clear: () => void
}
