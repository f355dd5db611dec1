import { useNavigate, useSearch, type RegisteredRouter, type RouteIds } from '@tanstack/react-router'
import { compact } from './search.ts'

type PageId = RouteIds<RegisteredRouter['routeTree']>

/** A change of what a page keeps in its address; `undefined` takes a parameter out. */
export type Patch<S> = { readonly [Name in keyof S]?: S[Name] | undefined }

/**
 * What a page keeps in its address, and ways to change it; `replace`: without a step back. Whatever else changes, a list begins at its
 * first page again.
 */
export function useAddress<const Id extends PageId>(page: Id) {
  const search = useSearch({ from: page })
  const navigate = useNavigate()
  const change = (patch: Patch<typeof search>, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before: object) => compact({ ...before, offset: undefined, ...patch }),
      replace,
      resetScroll: false,
    } as never)
  const { offset = 0 } = search as { readonly offset?: number }
  return {
    search,
    change,
    /** Where the reader is in a list that is read `limit` rows at a time. */
    pages: (limit: number) => ({
      offset,
      limit,
      onOffset: (next: number) => change({ offset: next > 0 ? next : undefined } as never),
    }),
  }
}

export type Address<Id extends PageId> = ReturnType<typeof useAddress<Id>>
