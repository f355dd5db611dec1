/** The demo of a first start: a team, a key, one tracked person on the sandbox network. */
import { sql } from 'kysely'
import type { Service } from './compose.ts'
import { createTeam, readTeam } from './modules/accounts/index.ts'
import { openAccount } from './modules/credits/index.ts'
import { insertJob } from './modules/jobs/index.ts'
import { trackSource } from './modules/sources/index.ts'

/** Whom the demo tracks. */
export const demoHandle = 'maya-lindqvist'

/** A demo that was just made. */
export type Demo = { readonly teamId: string; readonly apiKey: string }

/** Makes the demo in one unit of work; undefined when the database has a team already. */
export async function seedDemo(service: Pick<Service, 'unitOfWork' | 'vault' | 'ids'>): Promise<Demo | undefined> {
  return service.unitOfWork(async (tx) => {
    await sql`lock table team in share row exclusive mode`.execute(tx.db)
    const { rows } = await sql`select 1 from team limit 1`.execute(tx.db)
    if (rows.length > 0) return undefined
    const { team, apiKey } = await createTeam(tx, service.vault, service.ids, { name: 'Demo team', plan: 'growth', status: 'active' })
    await openAccount(tx, team.id, { status: 'active' })
    const made = await readTeam(tx.db, team.id)
    const caller = { teamId: team.id, keyId: '', plan: 'growth', status: 'active', captureAllowed: made?.captureAllowed ?? true } as const
    const tracked = await trackSource(tx, caller, { type: 'person', username: demoHandle, named: { creditCapPerSync: 500 }, confirmSpend: false })
    await insertJob(tx, { teamId: team.id, type: 'enrich_profile', payload: { username: demoHandle, sourceId: tracked.sourceId, personUrn: null } })
    return { teamId: team.id, apiKey }
  })
}
