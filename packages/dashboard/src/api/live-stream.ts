/**
 * Live updates of a team, with one stream for all tabs: a browser opens only six connections to a host, and a stream occupies
 * one. The tab that holds a browser lock reads the stream and forwards it; when it closes, the lock passes to the next tab.
 * Without browser locks each tab reads its own stream.
 */

export type LiveState = 'connecting' | 'live' | 'waiting'

/** Callbacks of a tab: the stream's state, changed topics, and that changes may have been missed. */
type LiveListener = { state(state: LiveState): void; changed(topics: readonly string[]): void; missed(): void }

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'changed'; readonly topics: readonly string[] }
  | { readonly kind: 'missed' }

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

/** Reads a team's stream, reconnecting when it breaks; answers how to stop. `wasAway`: changes were missed before. */
function readStream(teamId: string, wasAway: boolean, listener: LiveListener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = firstWaitMs
  let missed = wasAway
  const open = (): void => {
    source = new EventSource(`/app/api/teams/${encodeURIComponent(teamId)}/events`)
    source.onopen = () => {
      wait = firstWaitMs
      listener.state('live')
      if (missed) listener.missed()
      missed = false
    }
    source.onmessage = (message) => listener.changed(topicsOf(message.data))
    source.onerror = () => {
      source?.close()
      missed = true
      listener.state('waiting')
      timer = setTimeout(open, wait)
      wait = Math.min(longestWaitMs, wait * 2)
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}

/** Listens to the tab that holds the lock, and reads the stream itself once this tab has it; answers how to stop. */
function shareStream(teamId: string, listener: LiveListener): () => void {
  const name = `les-live-${teamId}`
  const channel = new BroadcastChannel(name)
  const ended = new AbortController()
  const send = (message: Message): void => {
    if (!ended.signal.aborted) channel.postMessage(message)
  }
  let heardOfAnother = false
  let leads = false
  let state: LiveState = 'connecting'
  const hear = (message: Exclude<Message, { kind: 'ask' }>): void => {
    if (message.kind === 'state') listener.state(message.state)
    else if (message.kind === 'changed') listener.changed(message.topics)
    else listener.missed()
  }
  const tell = (message: Parameters<typeof hear>[0]): void => {
    send(message)
    hear(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') {
      heardOfAnother = true
      hear(data)
    } else if (leads) send({ kind: 'state', state })
  }
  const lead = (): Promise<void> =>
    new Promise((release) => {
      leads = true
      const stop = readStream(teamId, heardOfAnother, {
        state: (next) => {
          state = next
          tell({ kind: 'state', state })
        },
        changed: (topics) => tell({ kind: 'changed', topics }),
        missed: () => tell({ kind: 'missed' }),
      })
      ended.signal.addEventListener('abort', () => {
        stop()
        release()
      })
    })
  navigator.locks.request(name, { signal: ended.signal }, lead).catch(() => {
    // Stopped before the lock was granted.
  })
  send({ kind: 'ask' })
  return () => {
    ended.abort()
    channel.close()
  }
}

/** Follows a team's live updates until stopped, pausing while the browser keeps the page in its back/forward cache. */
export function followTeam(teamId: string, listener: LiveListener): () => void {
  const start = (): (() => void) =>
    'locks' in navigator ? shareStream(teamId, listener) : readStream(teamId, false, listener)
  let stop = start()
  const hide = (): void => stop()
  const show = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted) return
    stop = start()
    listener.missed()
  }
  addEventListener('pagehide', hide)
  addEventListener('pageshow', show)
  return () => {
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', show)
    stop()
  }
}
