import { useEffect, useState } from 'react'
import type { LiveState } from '../api/events.ts'
import { readiness } from '../api/send.ts'

/** Milliseconds without live updates before the service's readiness is checked, and the interval of checks. */
const silentMs = 5_000
const askEveryMs = 3_000

/** True while there are no live updates and the service does not answer either. */
function useOutage(live: LiveState): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    if (live === 'live') return setAway(false)
    let over = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      const isAway = !(await readiness())
      if (over) return
      setAway(isAway)
      timer = setTimeout(() => void ask(), askEveryMs)
    }
    timer = setTimeout(() => void ask(), silentMs)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [live])
  return away
}

export function Outage({ live }: { live: LiveState }) {
  if (!useOutage(live)) return null
  return (
    <p role="alert" className="bg-warn-soft px-6 py-2 text-sm text-warn-text">
      The service does not answer at the moment. You can keep reading what is loaded, and what you have typed stays;
      nothing is saved until the service is back. This page checks every few seconds. Runs and deliveries continue
      automatically afterwards.
    </p>
  )
}
