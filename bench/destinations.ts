/**
 * How long a push of many people to HubSpot takes at the pace that its limits allow, and whether it ever refuses a call for being one too
 * many. `--leads 10000`. The account of the sandbox takes 190 calls in ten seconds.
 */
import { fillLeads, openStage, option, pause } from './support.ts'

const leads = option('leads', 10_000)
const longestMs = 30 * 60_000

const stage = await openStage({ config: { roles: ['http', 'worker', 'clock'] } })
const { service, tools } = stage
const { id, apiKey } = await stage.team()
await fillLeads(stage, id, leads, 1)
// A person a lead: what is there is merged where it is one person.
await tools.pool.query(
  `update lead set person_urn = 'urn-' || id, linkedin_url = 'https://www.linkedin.com/in/p-' || id`,
)
await tools.pool.query(
  `insert into person (team_id, id, urn, handle, linkedin_url)
   select team_id, gen_random_uuid(), person_urn, 'p-' || id, linkedin_url from lead`,
)
await tools.pool.query('analyze')

const call = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${service.http.address()}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const told = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(told)}`)
  return told
}
const { id: destination } = await call('POST', '/destinations', {
  kind: 'hubspot',
  name: 'CRM',
  settings: {},
  credentials: { accessToken: 'token-of-the-bench' },
})
const { queued } = await call('POST', `/destinations/${destination}/push`, {})
const startedMs = performance.now()
const counts = async () => (await call('GET', `/destinations/${destination}`)).counts as Record<string, number>
while ((await counts()).waiting! > 0 && performance.now() - startedMs < longestMs) await pause(1_000)
const tookS = (performance.now() - startedMs) / 1_000

const calls = service.sandbox!.world.calls({ vendor: 'hubspot' })
const refused = calls.filter(({ status }) => status === 429).length
const { contacts } = service.sandbox!.world.twins.hubspot.view('token-of-the-bench') as { contacts: unknown[] }
console.log(
  `${queued} queued, ${contacts.length} contacts in ${tookS.toFixed(0)} s: ${calls.length} calls, ${refused} refused as too many`,
  await counts(),
)
await stage.close()
if (refused > 0 || contacts.length !== queued) process.exitCode = 1
