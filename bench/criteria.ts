/** Saving criteria on a source with many leads: time to the answer, and speed of applying them compared with a bare UPDATE. */
import { sql } from 'kysely'
import { fillLeads, filledSource, fillQuickly, openStage, option, pause, report, seconds } from './support.ts'

const leads = option('leads', 1_000_000)
const stage = await openStage({ config: { roles: ['http', 'worker', 'clock'] } })
const { service, tools } = stage
const team = await stage.team()
const id = filledSource(0)

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.http.address()}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': team.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const settle = () => sql`vacuum analyze lead`.execute(tools.bare)
const update = () =>
  seconds(() =>
    sql`update lead set is_icp = job_title ilike '%manager%' where team_id = ${team.id}`.execute(tools.bare),
  )

await fillQuickly(stage, ['lead', 'lead_text', 'source'], () => fillLeads(stage, team.id, leads, 1))
// Every pass inverts the verdicts, so that all rows change.
const first = await update()
await settle()
let answered = 0
let wrong = 0
const took = await seconds(async () => {
  const rules = [{ column: 'jobTitle', operator: 'not_contains', value: 'manager' }]
  answered = await seconds(() => ask('PUT', `/sources/${id}/icp`, { rules }))
  while ((await ask('GET', `/sources/${id}/icp`)).rescoring !== undefined) await pause(100)
})
const { rows } = await sql<{ wrong: number }>`
  select count(*)::int as wrong from lead
  where team_id = ${team.id} and is_icp is not distinct from (job_title ilike '%manager%')`.execute(tools.bare)
wrong = rows[0]!.wrong
if (wrong > 0) throw new Error(`${wrong} verdicts are wrong`)
await settle()
const bare = (first + (await update())) / 2
await stage.close()
report({
  'criteria: answer': { measured: `${Math.round(answered * 1_000)} ms`, beside: '', value: answered },
  'criteria: applied': {
    measured: `${Math.round(leads / took)} leads/s, ${took.toFixed(1)} s`,
    beside: `${Math.round(leads / bare)} leads/s: one UPDATE`,
    value: bare / took,
  },
})
