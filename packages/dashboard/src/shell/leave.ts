import { client } from '../app/client.ts'
import { chooseTeam } from '../api/team.ts'
import { ask } from '../api/api.ts'
import { send } from '../api/send.ts'

export async function signOut(): Promise<void> {
  await send('POST', '/app/api/auth/sign-out', {}).catch(() => {})
  client.clear()
  location.assign('/sign-in')
}

/** Opens the team of made-up data; left by `switchTeam`, as every other. */
export async function openSampleTeam(): Promise<void> {
  switchTeam((await ask('openSampleTeam', {})).team.id)
}

/** Shows another team: everything is asked anew. */
export function switchTeam(teamId: string): void {
  chooseTeam(teamId)
  client.clear()
  location.assign('/home')
}
