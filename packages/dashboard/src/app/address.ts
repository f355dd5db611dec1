import { useNavigate, useSearch, type RegisteredRouter, type RouteById, type RouteIds } from '@tanstack/react-router'
import { compact } from './search.ts'

type PageId = RouteIds<RegisteredRouter['routeTree']>

/** A change of a page's search parameters; `undefined` removes one. */
export type Patch<S> = { readonly [Name in keyof S]?: S[Name] | undefined }

type SearchOf<Id extends PageId> = RouteById<RegisteredRouter['routeTree'], Id>['types']['fullSearchSchema']
type TabOf<S> = S extends { readonly tab?: infer Tab } ? Exclude<Tab, undefined> : never

/** A page's search parameters and ways to change them (`replace`: no history entry). Any change but paging resets to page one. */
export function useAddress<const Id extends PageId>(page: Id) {
  const search = useSearch({ from: page })
  const navigate = useNavigate()
  const go = (searchOf: (before: object) => object, replace = false) =>
    void navigate({
      to: '.',
      search: (before: object) => compact(searchOf(before)),
      replace,
      resetScroll: false,
    } as never)
  const change = (patch: Patch<typeof search>, { replace = false } = {}) =>
    go((before) => ({ ...before, offset: undefined, ...patch }), replace)
  const { offset = 0, tab } = search as { readonly offset?: number; readonly tab?: string }
  return {
    search,
    change,
    /** The position in a list that is read `limit` rows at a time. */
    pages: (limit = 50) => ({
      offset,
      limit,
      onOffset: (next: number) => change({ offset: next > 0 ? next : undefined } as never),
    }),
    /** The open tab, by default `usual`; changing it drops the other parameters unless `keeps`. */
    tabs: <const Usual extends string>(usual: Usual, { keeps = false } = {}) => ({
      value: (tab ?? usual) as TabOf<SearchOf<Id>> | Usual,
      onValue: (next: TabOf<SearchOf<Id>> | Usual) => {
        const named = next === usual ? undefined : next
        go((before) => ({ ...(keeps ? { ...before, offset: undefined } : {}), tab: named }))
      },
    }),
  }
}

export type Address<Id extends PageId> = ReturnType<typeof useAddress<Id>>
