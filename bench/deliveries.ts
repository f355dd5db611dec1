/** Signed deliveries a second against a bare loop of undici POST and HMAC over the same bodies to the same receiver. */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Agent, request } from 'undici'
import { maxInFlight } from '../packages/server/src/modules/delivery/rules/endpoint.ts'
import { cost, openStage, option, printFigures, printStatements, resetStatements, topStatements } from './support.ts'

const count = option('deliveries', 4_000)
const lanes = option('lanes', 2)
/** `--endpoints 1`: one at its allowed concurrency, against a bare loop of as many at once. */
const owners = option('endpoints', 20)
const bareLanes = owners === 1 ? maxInFlight : lanes

let received = 0
const receiver = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    received += 1
    response.writeHead(200).end('ok')
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

const stage = await openStage()
const { service } = stage
const db = service.database.root
const now = new Date()
const team = await stage.team()
const body = Buffer.from(JSON.stringify({ event: 'lead.detected', lead: { name: 'Person', text: 'x'.repeat(1_200) } }))
await sql`
  insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at)
  select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
    sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${now}
    from generate_series(1, ${owners}::int) n`.execute(db)
await sql`insert into webhook (team_id, owner_id, owner_kind, url, url_set_at)
  select ${team.id}, id, 'source', ${url}, ${now} from source where team_id = ${team.id}`.execute(db)
await sql`
  insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
  select ${team.id}, ('02000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    ('00000000-0000-7000-8000-' || lpad(to_hex(1 + n % ${owners}), 12, '0'))::uuid, 'sync.completed', 'subject-' || n,
    'pending', ${body}, ${now}, ${now} from generate_series(1, ${count}::int) n`.execute(db)
await sql`insert into work_turn (team_id, kind, served) values (${team.id}, 'delivery', nextval('work_turn_number'))
  on conflict (team_id, kind) do update set ready = true`.execute(db)
await sql`vacuum analyze delivery, webhook, source`.execute(service.database.bare)

await resetStatements(stage.tools.pool)
const spent = await cost(stage, async () => {
  const step = service.steps.delivery
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while ((await step()) === 'worked') {
        /* next one */
      }
    }),
  )
})
const took = spent.seconds
const statements = await topStatements(stage.tools.pool)
const ours = received / took
if (received !== count) {
  const { rows } = await stage.tools.pool.query(`select state, count(*)::int as count from delivery group by state`)
  throw new Error(`${received} of ${count} were received: ${JSON.stringify(rows)}`)
}

const key = Buffer.from(team.signingSecret.replace('whsec_', ''), 'base64')
const agent = new Agent({ connections: bareLanes })
let left = count
const bareSpent = await cost(stage, () =>
  Promise.all(
    Array.from({ length: bareLanes }, async () => {
      while (left-- > 0) {
        const timestamp = String(Math.floor(Date.now() / 1000))
        const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')
        const response = await request(url, {
          method: 'POST',
          body,
          dispatcher: agent,
          headers: {
            'content-type': 'application/json',
            'x-service-timestamp': timestamp,
            'x-service-signature': `v1=${signature}`,
          },
        })
        await response.body.dump()
      }
    }),
  ),
)
await agent.close()
const each = (seconds: number) => `${((seconds / count) * 1e6).toFixed(0)} us`
console.log(
  `processor time of a delivery: service ${each(spent.service)}, database ${each(spent.database)}; ` +
    `of a bare POST: ${each(bareSpent.service)} (the receiver in both)`,
)
receiver.close()
receiver.closeAllConnections()
await stage.close()

const limit = count / bareSpent.seconds
printFigures('Deliveries', [
  {
    name: `signed deliveries/s to ${owners === 1 ? 'one endpoint' : `${owners} endpoints`}, each claimed, sent and recorded durably`,
    measured: `${Math.round(ours)}/s over ${count}`,
    limit: `${Math.round(limit)}/s: undici POST and HMAC alone`,
    ratio: ours / limit,
    aim: '>= 0.4',
    reached: ours / limit >= 0.4,
  },
])
printStatements('Where the database spent its time', statements)
