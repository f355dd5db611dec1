import { queryOptions, useQuery } from '@tanstack/react-query'
import { ask } from './api.ts'
import { ApiError } from './error.ts'
import { send } from './send.ts'
import { pickTeam } from './team.ts'
import type { ResultOf } from './types.ts'

export type Me = ResultOf<'getMe'>

export type MyTeam = Me['teams'][number]

export const meQuery = queryOptions<Me | null>({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    try {
      return await ask('getMe', {}, { signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
})

/** Extends the session; called once per visit. */
export async function stayKnown(): Promise<void> {
  await send('GET', '/app/api/auth/get-session').catch(() => {})
}

/** Who is signed in; only for pages below the guard. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('nobody is signed in')
  return data
}

const ranks = ['viewer', 'member', 'owner'] as const

/** The current team, what its member may do (`can('member')`, `can('owner')`), and whether it is the sample team. */
export function useTeam(): MyTeam & { readonly isSample: boolean; readonly can: (role: MyTeam['role']) => boolean } {
  const { teams, sampleTeam } = useMe()
  const team = pickTeam(teams, sampleTeam)
  if (team === undefined) throw new Error('no team')
  return {
    ...team,
    isSample: team.id === sampleTeam?.id,
    can: (role) => ranks.indexOf(team.role) >= ranks.indexOf(role),
  }
}
