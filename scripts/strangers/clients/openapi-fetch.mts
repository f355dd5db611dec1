/** The main job through a third-party generated client: track, see the figures of a charge, confirm, wait, read. */
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const [baseUrl, key, handle] = process.argv.slice(2) as [string, string, string]
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })

const wanted = { username: handle, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 10 } as const
const first = await client.POST('/api/v1/enrich/profile', { body: wanted })
if (first.response.status !== 409 || first.error === undefined) throw new Error(`not refused: ${first.response.status}`)
// The description types this: `code` selects the schema with the figures.
if (!('code' in first.error) || first.error.code !== 'spend_confirmation_required') throw new Error('another refusal')
const perDay: number | undefined = first.error.estimatedDailyMax
const left: number | undefined = first.error.remainingBalance
if (typeof perDay !== 'number' || typeof left !== 'number') throw new Error('no figures')

const yes = await client.POST('/api/v1/enrich/profile', { body: { ...wanted, confirmSpend: true } })
if (yes.data === undefined) throw new Error(`refused: ${JSON.stringify(yes.error)}`)
const jobId: string = yes.data.jobId
for (let tries = 0; ; tries++) {
  const job = await client.GET('/api/v1/jobs/{jobId}/status', { params: { path: { jobId } } })
  if (job.data === undefined) throw new Error(`the job: ${JSON.stringify(job.error)}`)
  if (job.data.status === 'completed') break
  if (job.data.status === 'failed' || tries > 300) throw new Error(`the job ended ${job.data.status}`)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const leads = await client.GET('/api/v1/leads', { params: { query: { limit: 10 } } })
if (leads.data === undefined) throw new Error('no leads')
const names: (string | null)[] = leads.data.leads.map((lead) => lead.name)
console.log(JSON.stringify({ perDay, left, jobId, leads: names.length }))
