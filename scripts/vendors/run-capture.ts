/** `npm run vendors:capture`: records one answer of each vendor operation and reports differences from our recordings. */
import { parseArgs } from 'node:util'
import { startSandbox } from '@les/sandbox'
import { systemClock } from '../../packages/server/src/platform/clock.ts'
import { openPooledEgress } from '../../packages/server/src/platform/egress/index.ts'
import { machineRandom } from '../../packages/server/src/platform/random.ts'
import { networkAdapters } from '../../packages/server/src/composition/calls.ts'
import { unlimitedBudget } from '../../packages/server/src/providers/budget.ts'
import { capture } from './capture.ts'
import { openRecordingProxy } from './proxy.ts'
import { keyOf, pricesOf, urlOf, vendorNamed, vendorNames } from './settings.ts'

const usage = `npm run vendors:capture -- [options]
Takes one answer of each operation of a data vendor, without its people, and says how it differs from our recordings.

  --vendor ${vendorNames.join('|')}  whose answers are taken (${vendorNames[0]})
  --dollars N       nothing is asked that could cost more, at most 5 (0.10)
  --handle HANDLE   a person who posts (williamhgates)
  --company SLUG    a page that posts (linkedin)
  --term WORD       a word that posts hold (hiring)
  --out FOLDER      where the answers are written (.captured)
  --sandbox         the synthetic network instead of a vendor: no key, no cost
  --help            says this`

const { values } = parseArgs({
  options: {
    vendor: { type: 'string', default: vendorNames[0]! },
    dollars: { type: 'string', default: '0.10' },
    handle: { type: 'string', default: 'williamhgates' },
    company: { type: 'string', default: 'linkedin' },
    term: { type: 'string', default: 'hiring' },
    out: { type: 'string', default: '.captured' },
    sandbox: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const name = vendorNamed(values.vendor)
  const dollars = Number(values.dollars)
  if (!(dollars > 0 && dollars <= 5)) throw new Error('--dollars must be a number above 0 and at most 5')
  const apiKey = values.sandbox ? 'sandbox' : keyOf(name)
  const sandbox = values.sandbox ? await startSandbox({ seed: 'capture' }) : null
  const proxy = await openRecordingProxy(sandbox?.addresses[name] ?? urlOf(name))
  const egress = openPooledEgress()
  try {
    const shared = {
      egress,
      system: systemClock,
      random: machineRandom,
      budget: unlimitedBudget,
    }
    const vendor = networkAdapters[name]({ ...shared, baseUrl: proxy.url, apiKey })
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
}
