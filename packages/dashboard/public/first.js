// Runs before the first paint: sets the theme, so that a dark screen never flashes white (src/shell/theme.ts changes the same), shows
// the frame of the page to who was here before, and asks at once for what the page will ask for (src/api/early.ts takes the answers).
(function () {
  var html = document.documentElement
  var data = document.currentScript.dataset
  var stored = {}
  try {
    stored = { theme: localStorage.getItem('les.theme'), here: localStorage.getItem('les.here'), team: localStorage.getItem('les.team') }
  } catch (_) {}
  var dark = stored.theme === 'dark' || (stored.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  html.dataset.theme = dark ? 'dark' : 'light'
  if (data.frame === 'plain') html.dataset.frame = 'plain'
  if (data.frame !== 'team' || !stored.here) return
  html.dataset.frame = 'team'
  var early = (globalThis.lesEarly = {})
  function ask(path) {
    early[path] = fetch(path, { headers: { accept: 'application/json' }, credentials: 'same-origin', redirect: 'error' })
    // Whoever takes it hears of a failure; nobody has to take it.
    early[path].catch(function () {})
  }
  ask('/app/api/me')
  if (stored.team && !location.search)
    JSON.parse(data.reads || '[]').forEach(function (path) {
      ask('/app/api/teams/' + encodeURIComponent(stored.team) + path)
    })
})()
