import { Button, cx, IconButton } from '../ui/button.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Send, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { keyOf, useWrite, useRead } from '../api/hooks.ts'
import { useTeam } from '../api/me.ts'
import { secondsUntil, sendLine, type PlannedSend } from './words.ts'

const tickMs = 500
const restMs = 30_000

/** The service's clock, estimated by its last answer; ticks while `moving`. */
function useServiceNow(saidAt: string | undefined, moving: boolean): number {
  const [offset, setOffset] = useState(0)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (saidAt !== undefined) setOffset(Date.parse(saidAt) - Date.now())
  }, [saidAt])
  useEffect(() => {
    if (!moving) return
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [moving])
  return now + offset
}

function Row({ send, nowMs, onHide }: { send: PlannedSend; nowMs: number; onHide: () => void }) {
  const { can } = useTeam()
  const cancel = useWrite('cancelSend')
  const seconds = secondsUntil(Date.parse(send.startsAt), nowMs)
  const isPlanned = send.state === 'planned'
  return (
    <li className="flex items-center gap-3 px-4 py-2.5 text-sm">
      <Send aria-hidden="true" size={15} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 break-words">{sendLine(send)}</span>
      {isPlanned && (
        <span aria-hidden="true" className="shrink-0 text-muted tabular-nums">
          {seconds > 0 ? `in ${seconds} s` : 'now'}
        </span>
      )}
      {isPlanned && can('member') && (
        <Button size="sm" busy={cancel.isPending} onClick={() => cancel.mutate({ id: send.id })}>
          Undo
        </Button>
      )}
      {!isPlanned && send.state !== 'sending' && (
        <IconButton size="sm" tip={false} label="Dismiss" icon={X} onClick={onHide} />
      )}
    </li>
  )
}

/** The team's latest sends, on every page: each can be undone until it begins, and reports its result. */
export function SendTray() {
  const client = useQueryClient()
  const { data } = useRead('listSends', {}, { staleTime: 5_000 })
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const sends = data?.sends ?? []
  const isOpen = ({ state }: PlannedSend) => state === 'planned' || state === 'sending'
  const moving = sends.some(isOpen)
  const nowMs = useServiceNow(data?.now, moving)
  useEffect(() => {
    if (!moving) return
    // Live updates arrive sooner; this is for when they are down.
    const timer = setInterval(
      () => void client.invalidateQueries({ queryKey: keyOf('deliveries', 'listSends') }),
      3_000,
    )
    return () => clearInterval(timer)
  }, [moving, client])
  const shown = sends.filter(
    (send) =>
      !hidden.has(send.id) &&
      (isOpen(send) || (send.finishedAt !== null && Date.parse(data!.now) - Date.parse(send.finishedAt) < restMs)),
  )
  if (shown.length === 0) return null
  return (
    <section
      aria-label="Sends"
      aria-live="polite"
      className={cx(
        'fixed inset-x-0 bottom-0 z-30 border-t border-line bg-raised text-ink shadow-lg sm:inset-x-auto',
        'sm:bottom-4 sm:left-1/2 sm:w-[30rem] sm:-translate-x-1/2 sm:rounded-lg sm:border',
      )}
    >
      <ul className="divide-y divide-line">
        {shown.slice(0, 4).map((send) => (
          <Row
            key={send.id}
            send={send}
            nowMs={nowMs}
            onHide={() => setHidden((before) => new Set([...before, send.id]))}
          />
        ))}
      </ul>
    </section>
  )
}
