/** The demo of a first start: a team, a key, one tracked person on the sandbox network. */
import { sql } from 'kysely'
import type { Service } from './compose.ts'
import { createTeam, readTeam } from '../modules/accounts/index.ts'
import { openAccount } from '../modules/credits/index.ts'
import { insertJob } from '../modules/jobs/index.ts'
import { trackSource } from '../modules/sources/index.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import { addMember } from '../sign-in/index.ts'

/** Whom the demo tracks. */
export const demoHandle = 'maya-lindqvist'

/** Who can sign in at the dashboard of the demo. */
export const demoEmail = 'demo@example.com'

/** A demo that was just made. */
export type Demo = { readonly teamId: string; readonly apiKey: string; readonly password: string }

/** Makes the demo in one unit of work; undefined when the database has a team already. */
export async function seedDemo(
  service: Pick<Service, 'unitOfWork' | 'vault' | 'ids' | 'signIn' | 'database'>,
): Promise<Demo | undefined> {
  if (await hasTeam(service.database.root)) return undefined
  // The library that keeps passwords has transactions of its own. Should the unit below not come to be, nobody is left
  // with an account without a team but this one, whose next password is a new one.
  const password = service.ids.bytes(12).toString('base64url')
  const userId = await service.signIn.ensureUser({ email: demoEmail, name: 'Demo', password })
  return service.unitOfWork(async (tx) => {
    await sql`lock table team in share row exclusive mode`.execute(tx.db)
    if (await hasTeam(tx.db)) return undefined
    const { team, apiKey } = await createTeam(tx, service, {
      name: 'Demo team',
      plan: 'growth',
      status: 'active',
    })
    await openAccount(tx, team.id, { status: 'active' })
    await addMember(tx, { userId, teamId: team.id, role: 'owner' })
    const made = await readTeam(tx.db, team.id)
    const caller = {
      teamId: team.id,
      keyId: '',
      plan: 'growth',
      status: 'active',
      captureAllowed: made?.captureAllowed ?? true,
    } as const
    const tracked = await trackSource(tx, caller, {
      type: 'person',
      username: demoHandle,
      named: { creditCapPerSync: 500 },
      confirmSpend: false,
    })
    await insertJob(tx, {
      teamId: team.id,
      type: 'enrich_profile',
      payload: { username: demoHandle, sourceId: tracked.sourceId, personUrn: null },
    })
    return { teamId: team.id, apiKey, password }
  })
}

async function hasTeam(db: Reader): Promise<boolean> {
  return (await sql`select 1 from team where id <> ${sampleTeamId} limit 1`.execute(db)).rows.length > 0
}
