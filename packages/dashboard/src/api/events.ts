import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Whether live updates arrive. */
export type LiveState = 'connecting' | 'live' | 'waiting'

const firstWaitMs = 1_000
const longestWaitMs = 30_000

function topicsOf(data: unknown): readonly string[] {
  try {
    const parsed = JSON.parse(String(data)) as { readonly topics?: unknown }
    return Array.isArray(parsed.topics) ? parsed.topics.filter((topic) => typeof topic === 'string') : []
  } catch {
    return []
  }
}

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
 * Listens to the team's live updates and refreshes what is on screen: queries keyed `[teamId, topic, …]`. Reconnects by
 * itself, and refreshes everything when it was away.
 */
export function useEvents(teamId: string): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = firstWaitMs
    let wasAway = false
    const refresh = (topics: readonly string[]) => {
      for (const topic of topics) refreshTopic(client, [teamId, topic])
    }
    const open = () => {
      source = new EventSource(`/app/api/teams/${encodeURIComponent(teamId)}/events`)
      source.onopen = () => {
        wait = firstWaitMs
        setState('live')
        if (wasAway) void client.invalidateQueries({ queryKey: [teamId] })
        wasAway = false
      }
      source.onmessage = (message) => refresh(topicsOf(message.data))
      source.onerror = () => {
        source?.close()
        wasAway = true
        setState('waiting')
        timer = setTimeout(open, wait)
        wait = Math.min(longestWaitMs, wait * 2)
      }
    }
    open()
    return () => {
      clearTimeout(timer)
      source?.close()
    }
  }, [client, teamId])
  return state
}
