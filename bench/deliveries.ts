/**
 * Signed deliveries a second against a bare loop of undici POST and HMAC over the same bodies to the same receiver: to 20 endpoints, to
 * one at its allowed concurrency, and to one that takes its time over each. `--endpoints 1 --takes 10` measures one of these alone.
 */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { maxInFlight } from '../packages/server/src/modules/delivery/rules/endpoint.ts'
import { layDownDeliveries } from './due-deliveries.ts'
import { openReceiver } from './receiver.ts'
import {
  cost,
  openStage,
  option,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
  type CpuSeconds,
  type Figure,
} from './support.ts'

/** So many deliveries to so many endpoints, which answer after so many milliseconds. */
type Round = { readonly count: number; readonly owners: number; readonly takesMs: number; readonly aim: number }

const count = option('deliveries', 4_000)
const lanes = option('lanes', 2)
const owners = option('endpoints', 0)
const takesMs = option('takes', 0)
// An endpoint that takes its time is busy with five all the time, or it is not: what a delivery costs shall not show.
const aimOf = (each: Omit<Round, 'aim'>): Round => ({ ...each, aim: each.takesMs > 0 ? 0.9 : 0.4 })
const rounds = (
  owners > 0
    ? [{ count, owners, takesMs }]
    : [
        { count, owners: 20, takesMs: 0 },
        { count: Math.ceil(count / 5), owners: 1, takesMs: 0 },
        { count: Math.ceil(count / 20), owners: 1, takesMs: 10 },
      ]
).map(aimOf)

const stage = await openStage()
const { service } = stage
const body = Buffer.from(JSON.stringify({ event: 'lead.detected', lead: { name: 'Person', text: 'x'.repeat(1_200) } }))

/** A team of its own with deliveries that are due. */
async function fill({ count, owners }: Round, url: string) {
  const team = await stage.team()
  await layDownDeliveries(service.database.pool, { teamId: team.id, url, body, owners, count })
  return team
}

/** The service itself. */
const deliver = () =>
  cost(stage, async () => {
    const step = service.steps.delivery
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while ((await step()) === 'worked') {
          /* next one */
        }
      }),
    )
  })

/** As many at once as the service may have. */
async function bare({ count, owners }: Round, { signingSecret, url }: { signingSecret: string; url: string }) {
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64')
  const atOnce = owners === 1 ? maxInFlight : lanes
  const agent = new Agent({ connections: atOnce })
  let left = count
  const post = async () => {
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
  const spent = await cost(stage, () =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) await post()
      }),
    ),
  )
  await agent.close()
  return spent
}

const nameOf = ({ owners, takesMs }: Round) =>
  owners === 1 ? `one endpoint${takesMs > 0 ? ` that takes ${takesMs} ms` : ''}` : `${owners} endpoints`

function printCost(round: Round, ours: CpuSeconds, bareSpent: CpuSeconds): void {
  const each = (seconds: number) => `${((seconds / round.count) * 1e6).toFixed(0)} us`
  console.log(
    `to ${nameOf(round)}: processor time of a delivery: service ${each(ours.service)}, database ${each(ours.database)}; ` +
      `of a bare POST: ${each(bareSpent.service)} (the receiver in both)`,
  )
}

async function measure(round: Round): Promise<Figure> {
  const receiver = await openReceiver(round.takesMs)
  const { url } = receiver
  const { signingSecret } = await fill(round, url)
  await resetStatements(stage.tools.pool)
  const spent = await deliver()
  const statements = await topStatements(stage.tools.pool)
  if (receiver.received() !== round.count) {
    const { rows } = await stage.tools.pool.query(`select state, count(*)::int as count from delivery group by state`)
    throw new Error(`${receiver.received()} of ${round.count} were received: ${JSON.stringify(rows)}`)
  }
  const bareSpent = await bare(round, { signingSecret, url })
  await receiver.close()
  printCost(round, spent, bareSpent)
  printStatements(`Where the database spent its time: ${nameOf(round)}`, statements)
  const [ours, limit] = [round.count / spent.seconds, round.count / bareSpent.seconds]
  return {
    name: `signed deliveries/s to ${nameOf(round)}, each claimed, sent and recorded durably`,
    measured: `${Math.round(ours)}/s over ${round.count}`,
    limit: `${Math.round(limit)}/s: undici POST and HMAC alone${round.owners === 1 ? `, ${maxInFlight} at once` : ''}`,
    ratio: ours / limit,
    aim: `>= ${round.aim}`,
    reached: ours / limit >= round.aim,
  }
}

const figures: Figure[] = []
for (const round of rounds) figures.push(await measure(round))
await stage.close()
printFigures('Deliveries', figures)
