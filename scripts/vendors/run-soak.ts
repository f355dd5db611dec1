/**
 * `npm run vendors:soak -- --dollars 20 --minutes 60 [--people a,b] [--companies c,d] [--sandbox]`: a service of its own, in a folder
 * that is gone afterwards, does the main job on the keys of the settings; the calls go through recording proxies. Ends at the first
 * of both bounds, says what happened, and exits 1 when something failed that no answer of a vendor explains.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSandbox } from '@les/sandbox'
import { compose } from '../../packages/server/src/composition/compose.ts'
import { readConfig } from '../../packages/server/src/config/env.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { costOf, openRecordingProxy } from './proxy.ts'
import { keyOf, pricesOf, urlOf, type VendorName } from './settings.ts'
import { soak, type ReplyBody } from './soak.ts'

const { values } = parseArgs({
  options: {
    dollars: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '10' },
    people: { type: 'string', default: 'williamhgates' },
    companies: { type: 'string', default: '' },
    sandbox: { type: 'boolean', default: false },
  },
})
const [dollars, minutes] = [Number(values.dollars), Number(values.minutes)]
if (!(dollars > 0) || !(minutes > 0)) throw new Error('--dollars and --minutes must be numbers above 0')
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const sandbox = values.sandbox ? await startSandbox({ seed: 'soak' }) : null
const names: VendorName[] = sandbox
  ? ['harvestapi', 'linkdapi']
  : (['harvestapi', 'linkdapi'] as const).filter((name) => process.env[`LES_${name.toUpperCase()}_KEY`])
if (names.length === 0) throw new Error('LES_HARVESTAPI_KEY is not set; --sandbox tries the same without a vendor')
/** Dollars so far, over all vendors: a bound that no call passes, but those under way when it is reached. */
let spent = (): number => 0
const proxies = await Promise.all(
  names.map(async (name) => ({
    name,
    ...(await openRecordingProxy(sandbox?.addresses[name] ?? urlOf(name), () => spent() < dollars)),
  })),
)
spent = () =>
  proxies.reduce(
    (sum, { name, exchanges }) => sum + exchanges.reduce((total, one) => total + costOf(one, pricesOf(name)), 0),
    0,
  )
const folder = mkdtempSync(join(tmpdir(), 'les-soak-'))
const settings = Object.fromEntries(
  proxies.flatMap(({ name, url }) => [
    [`LES_${name.toUpperCase()}_KEY`, sandbox ? 'sandbox' : keyOf(name)],
    [`LES_${name.toUpperCase()}_URL`, url],
  ]),
)
const config = readConfig({ LES_DATA_DIR: folder, LES_LOG_LEVEL: 'error', ...settings })
const service = await compose({ ...config, port: 0 }, openLog('error'))
try {
  await service.start()
  const url = service.http.address()
  const send = async (path: string, method: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as ReplyBody }
  }
  const made = await send(
    '/operator/teams',
    'POST',
    { authorization: `Bearer ${service.operatorToken}` },
    {
      name: 'Soak',
      credits: 100_000,
    },
  )
  if (made.status >= 300) throw new Error(`the team could not be made: ${made.status}`)
  const startedMs = performance.now()
  const found = await soak({
    call: (method, path, body) => send(`/api/v1${path}`, method, { 'x-api-key': made.body.apiKey ?? '' }, body),
    vendors: proxies.map(({ name, exchanges }) => ({ name, exchanges, priceOf: pricesOf(name) })),
    followed: { people: listOf(values.people), companies: listOf(values.companies) },
    dollars,
    minutes,
    turn: async () => {
      await sleep(2_000)
      return (performance.now() - startedMs) / 60_000
    },
  })
  console.log(JSON.stringify(found, null, 1))
  if (found.unexplained.length > 0) process.exitCode = 1
} finally {
  await service.stop()
  for (const { close } of proxies) await close()
  await sandbox?.close()
  rmSync(folder, { recursive: true, force: true })
}
