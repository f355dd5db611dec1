import { useEffect, useState } from 'react'

/**
 * `value`, or while a mouse button or a finger is down what it was when that began. A list that grows as its field is left would push
 * what was pressed from under the pointer, and the press would be lost.
 */
export function useStill<T>(value: T): T {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null)
  useEffect(() => {
    const press = () => setHeld({ value })
    // A click follows in the same task.
    const release = () => setTimeout(() => setHeld(null))
    window.addEventListener('mousedown', press, true)
    window.addEventListener('mouseup', release, true)
    // A press that becomes a drag, or ends in another window, ends without a `mouseup`.
    window.addEventListener('dragend', release, true)
    window.addEventListener('blur', release)
    return () => {
      window.removeEventListener('mousedown', press, true)
      window.removeEventListener('mouseup', release, true)
      window.removeEventListener('dragend', release, true)
      window.removeEventListener('blur', release)
    }
  }, [value])
  return held ? held.value : value
}
