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
    // A chart or a tab that is still on its way is part of the page.
    const isDrawn =
      document.getElementById('frame') === null && document.querySelector('main [aria-busy=true]') === null
    if (isDrawn && client.isFetching() === 0) run()
    else timer = setTimeout(look, lookEveryMs)
  }
  let timer = setTimeout(look, 2 * lookEveryMs)
  return () => clearTimeout(timer)
}

let isQuiet = false

/** True once the first page stood, and from then on: for what can wait for it. */
export function useQuiet(): boolean {
  const [quiet, setQuiet] = useState(isQuiet)
  useEffect(() => {
    if (isQuiet) return undefined
    return whenQuiet(() => {
      isQuiet = true
      setQuiet(true)
    })
  }, [])
  return quiet
}
