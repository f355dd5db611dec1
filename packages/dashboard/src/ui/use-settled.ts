import { useEffect, useState } from 'react'

/** A value once it has not changed for a while: what is typed, without every letter being asked about. */
export function useSettled<T>(value: T, afterMs = 350): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
    // Equal values are one value, whatever object they are.
  }, [key, afterMs])
  return settled
}
