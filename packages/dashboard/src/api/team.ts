/** Which team the person looks at: kept in the browser, so that a reload stays there. */
const place = 'les.team'

let chosen: string | null = null

/** The team whose data is shown; throws before the guard of the pages has chosen one. */
export function currentTeam(): string {
  if (chosen === null) throw new Error('no team was chosen yet')
  return chosen
}

export function chooseTeam(teamId: string): void {
  chosen = teamId
  try {
    localStorage.setItem(place, teamId)
  } catch {
    // Storage may be forbidden: the choice then lasts for this page alone.
  }
}

/** The team looked at last, if it is still one of these or the sample team; else the first of one's own. */
export function pickTeam<T extends { readonly id: string }>(teams: readonly T[], sample: T | null): T | undefined {
  const find = (id: string | null) => teams.find((team) => team.id === id) ?? (sample?.id === id ? sample : teams[0])
  if (chosen !== null) return find(chosen)
  let remembered: string | null = null
  try {
    remembered = localStorage.getItem(place)
  } catch {
    // As above.
  }
  return find(remembered)
}
