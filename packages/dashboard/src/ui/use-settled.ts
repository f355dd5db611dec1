import { useEffect, useMemo, useState } from 'react'

/** A JSON value once it has not changed for a while: what is typed, without every letter being asked about. */
export function useSettled<T>(value: T, afterMs = 350): T {
  const text = JSON.stringify([value])
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return useMemo(() => (JSON.parse(settled) as [T])[0], [settled])
}
