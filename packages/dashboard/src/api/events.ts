import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followTeam, type LiveState } from './live-stream.ts'

export type { LiveState } from './live-stream.ts'

/** Refreshes a topic. A first read under way may predate the change, and invalidating does not repeat it; this does. */
function refreshTopic(client: QueryClient, queryKey: readonly unknown[]): void {
  const early = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching' })
    .filter((query) => query.state.data === undefined)
  void client.invalidateQueries({ queryKey })
  for (const query of early)
    void query.promise?.then(
      () => client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => {},
    )
}

/** Follows the team's live updates and refreshes queries keyed `[teamId, topic, …]`, or all when updates may have been missed. */
export function useEvents(teamId: string): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(
    () =>
      followTeam(teamId, {
        state: setState,
        changed: (topics) => {
          for (const topic of topics) refreshTopic(client, [teamId, topic])
        },
        missed: () => void client.invalidateQueries({ queryKey: [teamId] }),
      }),
    [client, teamId],
  )
  return state
}
