import { sql } from 'kysely'
import type { Service } from './compose.ts'
import { systemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTeam, findKeyOwner, readTeam } from '../modules/accounts/index.ts'
import { openAccount } from '../modules/credits/index.ts'
import { insertJob } from '../modules/jobs/index.ts'
import { trackSource } from '../modules/sources/index.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { replaceSecret } from '../platform/local-secrets.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import { addMember } from '../sign-in/index.ts'

const showForMs = 3 * 60_000
const maxShown = 10
const lookEveryMs = 250

type Shown = {
  id: string
  name: string | null
  job_title: string | null
  company_name: string | null
  country: string | null
  engagement_type: string
  at: Date
}

/** Writes addresses, how to sign in and, after a first start, the first enriched leads; returns how to stop. */
export async function announce(service: Service, log: Log, write: (line: string) => void): Promise<() => void> {
  const address = service.config.roles.includes('http') ? service.http.address() : undefined
  const sandbox = service.sandbox !== undefined
  log.info('started', { address, roles: service.config.roles, sandbox, node: process.version })
  if (!address) return () => {}
  write('')
  write(`Lead Engagement Service at ${address}${sandbox ? '  (sandbox network: every person is invented)' : ''}`)
  write(`  interface    ${address}/api/v1      description ${address}/openapi.json`)
  write(`  reference    ${address}/docs        agent tools ${address}/mcp`)
  write(`  health       ${address}/readyz`)
  const { seedDemo: hasDemo, dataDir } = service.config
  // A failing demo must not stop the running service; the next start tries again.
  const made = hasDemo
    ? await seedDemo(service).catch((error: unknown) => {
        log.warn('the demo could not be made', { error })
        return undefined
      })
    : undefined
  if (made)
    await keepDemo(dataDir, made).catch((error: unknown) =>
      log.warn('the access to the demo could not be kept', { error }),
    )
  const demo = made ?? (hasDemo ? await readDemo(service) : undefined)
  const tellsToken = service.config.operatorToken === null && service.config.databaseUrl === null
  if (tellsToken) write(`  operator     token ${service.operatorToken}`)
  if (demo === undefined) {
    if (tellsToken)
      write(
        `  a new key    curl -sX POST ${service.http.operatorAddress()}/operator/teams ` +
          `-H 'Authorization: Bearer ${service.operatorToken}' -d '{"name":"My team"}'`,
      )
    write(`  dashboard    ${address}/`)
    write('')
    return () => {}
  }
  const access = (): void => {
    write(`  dashboard    ${address}/`)
    write(`  sign in      ${demoEmail}   password ${demo.password}${made ? '' : '   (unless you changed it)'}`)
    write(`  API key      ${demo.apiKey}`)
    write('')
    write(`Try:  curl -s '${address}/api/v1/leads?limit=3' -H 'X-API-Key: ${demo.apiKey}'`)
    write('')
  }
  access()
  if (made === undefined) return () => {}
  write(`Tracking ${demoHandle}: people who engage with that person's posts appear here, as they are enriched.`)
  return showLeads(service, demo.teamId, {
    lead: write,
    enough: () => {
      write('More of them come in. All leads are in the dashboard:')
      write('')
      access()
    },
  })
}

function showLeads(
  service: Service,
  teamId: string,
  tell: { readonly lead: (line: string) => void; readonly enough: () => void },
): () => void {
  const endMs = systemClock.nowMs() + showForMs
  const shown = new Set<string>()
  let busy = false
  const look = async (): Promise<void> => {
    if (systemClock.nowMs() > endMs) return stop()
    if (busy) return
    busy = true
    try {
      const { rows } = await service.shards.ofTeam(teamId, () =>
        sql<Shown>`
        select id, name, job_title, company_name, country, engagement_type, created_at as at from lead
        where team_id = ${teamId} and enrichment = 'completed' and not id = any(${[...shown]}::uuid[])
        order by created_at, id limit ${maxShown - shown.size}`.execute(service.database.root),
      )
      for (const row of rows) {
        shown.add(row.id)
        const facts = [row.name ?? 'name hidden', row.job_title, row.company_name, row.country].filter(Boolean)
        tell.lead(`lead  ${facts.join(' · ')}  (${row.engagement_type.toLowerCase()})`)
      }
      if (shown.size === maxShown) {
        stop()
        tell.enough()
      }
    } catch {
      // The database is away for the moment; the next look tries again.
    } finally {
      busy = false
    }
  }
  const stop = systemClock.every(lookEveryMs, () => void look())
  return stop
}

const demoHandle = 'maya-lindqvist'

const demoEmail = 'demo@example.com'

/** Access to the demo, made by the first start, kept in the data folder and shown at every start. */
export type Demo = { readonly teamId: string; readonly apiKey: string; readonly password: string }

const files = { apiKey: 'demo-api-key', password: 'demo-password' } as const

async function keepDemo(dataDir: string, demo: Demo): Promise<void> {
  for (const name of ['apiKey', 'password'] as const) await replaceSecret(dataDir, files[name], demo[name])
}

/** Undefined when no demo was made here, or its key was revoked. */
async function readDemo(service: Pick<Service, 'config' | 'database'>): Promise<Demo | undefined> {
  const read = async (name: keyof typeof files): Promise<string> =>
    (await readFile(join(service.config.dataDir, files[name]), 'utf8').catch(() => '')).trim()
  const [apiKey, password] = await Promise.all([read('apiKey'), read('password')])
  const owner = await findKeyOwner(service.database.pool, apiKey)
  return owner === null ? undefined : { teamId: owner.teamId, apiKey, password }
}

/** Makes the demo in one unit of work; undefined when the database has a team. */
export async function seedDemo(
  service: Pick<Service, 'unitOfWork' | 'vault' | 'ids' | 'signIn' | 'database' | 'shards'>,
): Promise<Demo | undefined> {
  if (await hasTeam(service.database.root)) return undefined
  // The password library has its own transactions. If the unit below fails, the user remains without a team; a retry resets the
  // password.
  const password = service.ids.bytes(12).toString('base64url')
  const userId = await service.signIn.ensureUser({ email: demoEmail, name: 'Demo', password })
  return service.shards.ofNewTeam(() =>
    service.unitOfWork(async (tx) => {
      await sql`lock table team in share row exclusive mode`.execute(tx.db)
      if (await hasTeam(tx.db)) return undefined
      const { team, apiKey } = await createTeam(tx, service, { name: 'Demo team', plan: 'growth', status: 'active' })
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
    }),
  )
}

async function hasTeam(db: Reader): Promise<boolean> {
  return (await sql`select 1 from team where id <> ${sampleTeamId} limit 1`.execute(db)).rows.length > 0
}
