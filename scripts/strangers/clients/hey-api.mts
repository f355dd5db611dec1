/** The same job with types and functions of hey-api's generator only. */
import { client } from './hey/client.gen.ts'
import { enrichProfile, getJobStatus, listLeads } from './hey/sdk.gen.ts'

const [baseUrl, key, handle] = process.argv.slice(2) as [string, string, string]
client.setConfig({ baseUrl, headers: { 'X-API-Key': key } })

const wanted = { username: handle, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 10 } as const
const first = await enrichProfile({ body: wanted })
if (first.error === undefined) throw new Error('not refused')
if (!('code' in first.error) || first.error.code !== 'spend_confirmation_required') throw new Error('another refusal')
const perDay: number | undefined = first.error.estimatedDailyMax
if (typeof perDay !== 'number') throw new Error('no figures')
const yes = await enrichProfile({ body: { ...wanted, confirmSpend: true } })
if (yes.data === undefined) throw new Error(`refused: ${JSON.stringify(yes.error)}`)
const job = await getJobStatus({ path: { jobId: yes.data.jobId } })
if (job.data === undefined) throw new Error('no job')
const leads = await listLeads({ query: { limit: 10 } })
if (leads.data === undefined) throw new Error('no leads')
console.log(JSON.stringify({ perDay, job: job.data.status, leads: leads.data.leads.length }))
