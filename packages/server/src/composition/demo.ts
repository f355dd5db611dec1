/** The demo of a first start: a team, a key, one tracked person on the sandbox network. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Service } from './compose.ts'
import { createTeam, findKeyOwner, readTeam } from '../modules/accounts/index.ts'
import { openAccount } from '../modules/credits/index.ts'
import { insertJob } from '../modules/jobs/index.ts'
import { trackSource } from '../modules/sources/index.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { replaceSecret } from '../platform/local-secrets.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import { addMember } from '../sign-in/index.ts'

/** Whom the demo tracks. */
export const demoHandle = 'maya-lindqvist'

/** Who can sign in at the dashboard of the demo. */
export const demoEmail = 'demo@example.com'

/** How to get into the demo: made by the first start, kept in the data folder, and told at every start. */
export type Demo = { readonly teamId: string; readonly apiKey: string; readonly password: string }

/** The demo's key and password, each in a file of the data folder that its user alone may read. */
const files = { apiKey: 'demo-api-key', password: 'demo-password' } as const

/** Keeps the key and the password of the demo, so that the next start can tell them again. */
export async function keepDemo(dataDir: string, demo: Demo): Promise<void> {
  for (const name of ['apiKey', 'password'] as const) await replaceSecret(dataDir, files[name], demo[name])
}

/** The demo of an earlier start; undefined where none was made here, or its key was revoked. */
export async function readDemo(service: Pick<Service, 'config' | 'database'>): Promise<Demo | undefined> {
  const read = async (name: keyof typeof files): Promise<string> =>
    (await readFile(join(service.config.dataDir, files[name]), 'utf8').catch(() => '')).trim()
  const [apiKey, password] = await Promise.all([read('apiKey'), read('password')])
  const owner = await findKeyOwner(service.database.pool, apiKey)
  return owner === null ? undefined : { teamId: owner.teamId, apiKey, password }
}

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
