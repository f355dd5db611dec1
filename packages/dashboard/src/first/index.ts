/**
 * Runs before the first paint, as one small script: sets the theme, so that a dark screen never flashes white
 * (`shell/theme.ts` changes the same), shows the frame of the page to who was here before, asks at once for what the page
 * will ask for (`api/early.ts` takes the answers), and writes into the frame what those answers say.
 */
import { readAnswer } from '../api/answer.ts'
import { put } from './pieces.ts'
import { firstWords } from './words.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const html = document.documentElement
const data = document.currentScript!.dataset

function readStored(): Partial<Record<'theme' | 'here' | 'team' | 'clock', string | null>> {
  try {
    const at = (name: string) => localStorage.getItem(`les.${name}`)
    return { theme: at('theme'), here: at('here'), team: at('team'), clock: at('clock') }
  } catch {
    return {}
  }
}

/** The address of a read whose blanks are filled; undefined where nothing is known to fill them with. */
function filled(path: string, clock: string | null | undefined): string | undefined {
  const aheadMs = Number(clock ?? Number.NaN)
  if (path.includes('%7Bsince%7D') && !Number.isFinite(aheadMs)) return undefined
  // As Home rounds it: to the hour, a day ago, by the clock of the service.
  const since = () => new Date(Math.floor((Date.now() + aheadMs - dayMs) / hourMs) * hourMs).toISOString()
  return path
    .replace('%7Bid%7D', () => location.pathname.split('/').at(-1)!)
    .replace('%7Bsince%7D', () => encodeURIComponent(since()))
}

function askFirst(page: string | undefined, team: string, clock: string | null | undefined): void {
  const early = ((globalThis as { lesEarly?: Record<string, Promise<Response>> }).lesEarly = {}) as Record<
    string,
    Promise<Response>
  >
  const ask = (path: string): Promise<Response> => {
    const answer = fetch(path, {
      headers: { accept: 'application/json' },
      credentials: 'same-origin',
      redirect: 'error',
    })
    early[path] = answer
    // Whoever takes it hears of a failure; nobody has to take it.
    answer.catch(() => {})
    return answer
  }
  void ask('/app/api/me')
  if (team === '' || location.search) return
  const words = firstWords[page ?? '']
  for (const each of JSON.parse(data.reads ?? '[]') as string[]) {
    const path = filled(each, clock)
    if (path === undefined) continue
    const answer = ask(`/app/api/teams/${encodeURIComponent(team)}${path}`)
    if (!words || !each.startsWith(words.read)) continue
    void answer
      .then((response) => (response.ok ? readAnswer(response.clone()) : undefined))
      .then((said) => said && put(words.pieces(said, Date.now())))
      // The page itself shows it later, or says what is wrong.
      .catch(() => {})
  }
}

const { theme, here, team, clock } = readStored()
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
html.dataset.theme = isDark ? 'dark' : 'light'
if (data.frame === 'plain') html.dataset.frame = 'plain'
if (data.frame === 'team' && here) {
  html.dataset.frame = 'team'
  askFirst(data.page, team ?? '', clock)
}
