/** Signed deliveries per second to 20 endpoints and to one, compared with a bare loop of undici POST and HMAC. */
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { maxInFlight } from '../packages/server/src/modules/delivery/rules/endpoint.ts'
import { body, fillDeliveries, openReceiver } from './receiver.ts'
import {
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
const receiver = await openReceiver(20)
const stage = await openStage()
const { service } = stage

/** The same requests and concurrency, without the service. */
async function bare(urls: readonly string[], signingSecret: string): Promise<number> {
  const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64')
  const atOnce = urls.length === 1 ? maxInFlight : lanes
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
      const response = await request(urls[left % urls.length]!, { method: 'POST', body, dispatcher, headers })
      await response.body.dump()
    }
  }
  const took = await seconds(() => Promise.all(Array.from({ length: atOnce }, lane)))
  await dispatcher.close()
  return took
}

async function measure(endpoints: number): Promise<Figure> {
  const urls = receiver.urls.slice(0, endpoints)
  const signingSecret = await fillDeliveries(stage, { count, urls })
  receiver.reset()
  await resetStatements(stage)
  const took = await seconds(() => workAll(service.steps.delivery, lanes))
  if (receiver.count() !== count) throw new Error(`${receiver.count()} of ${count} were received`)
  await printStatements(stage)
  const limit = await bare(urls, signingSecret)
  return {
    measured: `${Math.round(count / took)}/s over ${count}`,
    beside: `${Math.round(count / limit)}/s: undici POST and HMAC`,
    value: limit / took,
  }
}

const figures = { 'deliveries to 20': await measure(20), 'deliveries to one': await measure(1) }
await stage.close()
receiver.close()
report(figures)
