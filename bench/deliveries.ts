/**
 * Signed deliveries a second to 20 endpoints and to one, against a bare loop of undici POST and HMAC over the same bodies to the
 * same receiver.
 */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { maxInFlight } from '../packages/server/src/modules/delivery/rules/endpoint.ts'
import {
  addWebhook,
  openStage,
  option,
  printStatements,
  report,
  resetStatements,
  seconds,
  workAll,
  type Figure,
} from './support.ts'

const count = option('deliveries', 12_000)
const lanes = 2
const body = Buffer.from(JSON.stringify({ event: 'lead.detected', lead: { name: 'Person', text: 'x'.repeat(1_200) } }))

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
const { service, tools } = stage

/** Lays down deliveries of a team that are due to so many endpoints; answers its signing secret. */
async function fill(endpoints: number): Promise<string> {
  const team = await stage.team()
  const owners: string[] = []
  for (let nth = 0; nth < endpoints; nth++) owners.push(await addWebhook(stage, team.id, `author-${nth}`, url))
  await tools.pool.query(
    `insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
     select $1, ('02000000-0000-7000-8000-' || lpad(to_hex(m), 12, '0'))::uuid, ($2::uuid[])[1 + m % $3::int],
       'sync.completed', 'subject-' || m, 'pending', $4, now() - interval '1 minute' + m / 5000 * interval '1 ms', now()
     from generate_series(1, $5::int) m`,
    [team.id, owners, endpoints, body, count],
  )
  await tools.pool.query('vacuum analyze delivery, webhook, source')
  await service.unitOfWork(async (tx) => tx.mark('delivery', team.id))
  return team.signingSecret
}

/** The same requests without the service, as many at once as the service may have. */
async function bare(endpoints: number, signingSecret: string): Promise<number> {
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64')
  const atOnce = endpoints === 1 ? maxInFlight : lanes
  const dispatcher = new Agent({ connections: atOnce })
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const timestamp = String(Math.floor(Date.now() / 1000))
      const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')
      const headers = {
        'content-type': 'application/json',
        'x-service-timestamp': timestamp,
        'x-service-signature': `v1=${signature}`,
      }
      const response = await request(url, { method: 'POST', body, dispatcher, headers })
      await response.body.dump()
    }
  }
  const took = await seconds(() => Promise.all(Array.from({ length: atOnce }, lane)))
  await dispatcher.close()
  return took
}

async function measure(endpoints: number): Promise<Figure> {
  const signingSecret = await fill(endpoints)
  received = 0
  await resetStatements(stage)
  const took = await seconds(() => workAll(service.steps.delivery, lanes))
  if (received !== count) throw new Error(`${received} of ${count} were received`)
  await printStatements(stage)
  const limit = await bare(endpoints, signingSecret)
  return {
    measured: `${Math.round(count / took)}/s over ${count}`,
    beside: `${Math.round(count / limit)}/s: undici POST and HMAC`,
    value: limit / took,
  }
}

const figures = { 'deliveries to 20': await measure(20), 'deliveries to one': await measure(1) }
await stage.close()
receiver.close()
receiver.closeAllConnections()
report(figures)
