import { client } from '../app/client.ts'
import { chooseTeam } from '../api/team.ts'
import { ask } from '../api/api.ts'
import { send } from '../api/send.ts'

export async function signOut(): Promise<void> {
  await send('POST', '/app/api/auth/sign-out', {}).catch(() => {})
  client.clear()
  location.assign('/sign-in')
}

/** Opens the sample team; `switchTeam` leaves it like any other. */
export async function openSampleTeam(): Promise<void> {
  switchTeam((await ask('openSampleTeam', {})).team.id)
}

export function switchTeam(teamId: string): void {
  chooseTeam(teamId)
  client.clear()
  location.assign('/home')
}
