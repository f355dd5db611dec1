/** The theme: light, dark, or the system's. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../app/stored.ts'

export const themes = ['light', 'dark', 'system'] as const

export type Theme = (typeof themes)[number]

const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

let chosen: Theme = themes.find((theme) => theme === readStored('theme')) ?? 'system'

function apply(): void {
  document.documentElement.dataset.theme = chosen === 'dark' || (chosen === 'system' && dark.matches) ? 'dark' : 'light'
}

dark.addEventListener('change', apply)

export function chooseTheme(theme: Theme): void {
  chosen = theme
  writeStored('theme', theme)
  apply()
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): Theme {
  return useSyncExternalStore(listen, () => chosen)
}
