import { readStored, writeStored } from '../app/stored.ts'

let chosen: string | null = null

/** The current team; throws before the pages' guard has chosen one. */
export function currentTeam(): string {
  if (chosen === null) throw new Error('no team was chosen yet')
  return chosen
}

export function chooseTeam(teamId: string): void {
  chosen = teamId
  writeStored('team', teamId)
}

/** The team shown last, kept in the browser, if still among these or the sample team; else the first. */
export function pickTeam<T extends { readonly id: string }>(teams: readonly T[], sample: T | null): T | undefined {
  const last = chosen ?? readStored('team')
  return teams.find(({ id }) => id === last) ?? (sample?.id === last ? sample : teams[0])
}
