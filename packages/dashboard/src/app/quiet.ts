/** What can wait until the page is there. */
import { useEffect, useState } from 'react'
import { client } from './client.ts'

const lookEveryMs = 1_000

/**
 * Runs something once the first page stands and has all it asked for: a slow connection carries one thing after the
 * other. The answer calls it off.
 */
export function whenQuiet(run: () => void): () => void {
  const look = (): void => {
    const isQuiet = document.getElementById('frame') === null && client.isFetching() === 0
    if (isQuiet) run()
    else timer = setTimeout(look, lookEveryMs)
  }
  let timer = setTimeout(look, 2 * lookEveryMs)
  return () => clearTimeout(timer)
}

/** True once the page stands: for what shows itself over any page and can wait for it. */
export function useQuiet(): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => whenQuiet(() => setQuiet(true)), [])
  return quiet
}
