// Sets the theme before the first paint, so that a dark screen never flashes white; src/shell/theme.ts changes it later.
;(() => {
  let stored = null
  try {
    stored = localStorage.getItem('les.theme')
  } catch {
    // Storage may be forbidden: the system then decides.
  }
  const isDark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
