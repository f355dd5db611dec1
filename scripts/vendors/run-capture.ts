/**
 * `npm run vendors:capture -- [--vendor linkdapi] [--dollars 0.10] [--handle H --company C --term T] [--out FOLDER] [--sandbox]`:
 * one answer of each operation of a data vendor, with the key of `LES_HARVESTAPI_KEY` or `LES_LINKDAPI_KEY`, through a recording
 * proxy. Writes them without their people, and says how they differ from the recordings of this repository.
 */
import { parseArgs } from 'node:util'
import { startSandbox } from '@les/sandbox'
import { systemClock } from '../../packages/server/src/platform/clock.ts'
import { openPooledEgress } from '../../packages/server/src/platform/egress/index.ts'
import { machineRandom } from '../../packages/server/src/platform/random.ts'
import {
  createHarvestApi,
  createLinkdApi,
  createMemoryBudget,
} from '../../packages/server/src/providers/network/index.ts'
import { capture } from './capture.ts'
import { openRecordingProxy } from './proxy.ts'
import { keyOf, pricesOf, urlOf, vendorNamed } from './settings.ts'

const { values } = parseArgs({
  options: {
    vendor: { type: 'string', default: 'harvestapi' },
    dollars: { type: 'string', default: '0.10' },
    handle: { type: 'string', default: 'williamhgates' },
    company: { type: 'string', default: 'linkedin' },
    term: { type: 'string', default: 'hiring' },
    out: { type: 'string', default: '.captured' },
    sandbox: { type: 'boolean', default: false },
  },
})
const name = vendorNamed(values.vendor)
const dollars = Number(values.dollars)
if (!(dollars > 0 && dollars <= 5)) throw new Error('--dollars must be a number above 0 and at most 5')
const sandbox = values.sandbox ? await startSandbox({ seed: 'capture' }) : null
const proxy = await openRecordingProxy(sandbox?.addresses[name] ?? urlOf(name))
const egress = openPooledEgress()
try {
  const shared = {
    egress,
    system: systemClock,
    random: machineRandom,
    budget: createMemoryBudget({ system: systemClock }),
  }
  const open = name === 'harvestapi' ? createHarvestApi : createLinkdApi
  const vendor = open({ ...shared, baseUrl: proxy.url, apiKey: sandbox ? 'sandbox' : keyOf(name) })
  const say = (line: string): void => console.log(line)
  const { handle, company, term, out } = values
  const found = await capture({
    vendor,
    exchanges: proxy.exchanges,
    priceOf: pricesOf(name),
    dollars,
    subject: { handle, company, term },
    folder: out,
    today: new Date().toISOString().slice(0, 10),
    say,
  })
  const money = (amount: number | null): string => (amount === null ? 'not told' : `$${amount.toFixed(3)}`)
  say(
    `${found.operations.length} operations of ${name} written to ${out}/${name}, ${money(found.dollars)} by their prices`,
  )
  say(`balance before ${money(found.balance.before)}, after ${money(found.balance.after)}`)
  if (found.leftOut.length > 0) say(`left out, since they could go over $${dollars}: ${found.leftOut.join(', ')}`)
  for (const [operation, lines] of Object.entries(found.differences))
    for (const line of lines) say(`differs: ${operation}${line.startsWith('.') ? '' : ': '}${line}`)
  if (Object.values(found.differences).every((lines) => lines.length === 0))
    say('no success differs from what is recorded')
} finally {
  await egress.close()
  await proxy.close()
  await sandbox?.close()
}
