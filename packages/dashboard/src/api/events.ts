import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followTeam, type LiveState } from './live-stream.ts'

export type { LiveState } from './live-stream.ts'

/**
 * Asks again for what is on screen. A first answer that is still under way may have been read before the change, and an
 * invalidation does not repeat it: it is asked for once more when it is there.
 */
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

/**
 * Listens to the team's live updates and refreshes what is on screen: queries keyed `[teamId, topic, …]`. Refreshes everything when
 * updates may have been missed.
 */
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
