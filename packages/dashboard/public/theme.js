// Runs before the first paint, so that a dark screen never flashes white; src/shell/theme.ts changes the same two things.
(function () {
  var chosen = 'system'
  try {
    chosen = localStorage.getItem('les.theme') || 'system'
  } catch (_) {}
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
