import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { compact } from '../../app/search.ts'
import type { Search } from './search.ts'

const route = getRouteApi('/signed-in/team/credits')

/** A change of the address; `undefined` takes a parameter out. */
export type Patch = { readonly [Name in keyof Search]?: Search[Name] | undefined }

/** What the page's address says, and a way to change it. */
export function useAddress() {
  const search: Search = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback(
    (patch: Patch) =>
      void navigate({ search: (before) => compact({ ...before, ...patch }) as Search, resetScroll: false }),
    [navigate],
  )
  return { search, change }
}

/** The same as a type. */
export type Address = ReturnType<typeof useAddress>
