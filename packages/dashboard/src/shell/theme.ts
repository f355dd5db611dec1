/** Light, dark, or what the system says. `first/index.ts` does the same before the first paint. */
import { useSyncExternalStore } from 'react'

export const themes = ['light', 'dark', 'system'] as const

export type Theme = (typeof themes)[number]

const place = 'les.theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function stored(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(place)) ?? 'system'
  } catch {
    return 'system'
  }
}

let chosen = stored()

function apply(): void {
  document.documentElement.dataset.theme = chosen === 'dark' || (chosen === 'system' && dark.matches) ? 'dark' : 'light'
}

dark.addEventListener('change', apply)

export function chooseTheme(theme: Theme): void {
  chosen = theme
  try {
    localStorage.setItem(place, theme)
  } catch {
    // Storage may be forbidden: the choice then lasts for this page alone.
  }
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
