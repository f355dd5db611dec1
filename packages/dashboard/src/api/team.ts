/** Which team the person looks at: kept in the browser, so that a reload stays there. */
import { readStored, writeStored } from '../app/stored.ts'

let chosen: string | null = null

/** The team whose data is shown; throws before the guard of the pages has chosen one. */
export function currentTeam(): string {
  if (chosen === null) throw new Error('no team was chosen yet')
  return chosen
}

export function chooseTeam(teamId: string): void {
  chosen = teamId
  writeStored('team', teamId)
}

/** The team looked at last, if it is still one of these or the sample team; else the first of one's own. */
export function pickTeam<T extends { readonly id: string }>(teams: readonly T[], sample: T | null): T | undefined {
  const last = chosen ?? readStored('team')
  return teams.find(({ id }) => id === last) ?? (sample?.id === last ? sample : teams[0])
}
