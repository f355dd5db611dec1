/**
 * `npm run vendors:soak`: a service of its own, in a folder that is gone afterwards, does the main job on the keys of the
 * settings; the calls go through recording proxies. Ends at the first of both bounds, says what happened, and exits 1 when
 * something failed that no answer of a vendor explains.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@les/sandbox'
import { compose } from '../../packages/server/src/composition/compose.ts'
import { readConfig } from '../../packages/server/src/config/env.ts'
import { keySettings, vendorSetting } from '../../packages/server/src/config/network-vendors.ts'
import { openLog } from '../../packages/server/src/platform/log.ts'
import { costOf, openRecordingProxy } from './proxy.ts'
import { keyOf, pricesOf, urlOf, vendorNames, vendorsWithKeys } from './settings.ts'
import { runTool, UsageError, type Options } from './usage.ts'
import { soak, type ReplyBody } from './soak.ts'

const options = {
  dollars: { type: 'string', default: '1', value: 'N', about: 'ends when so much is spent' },
  minutes: { type: 'string', default: '10', value: 'N', about: 'ends after so long' },
  people: { type: 'string', default: 'williamhgates', value: 'A,B', about: 'handles of people who are followed' },
  companies: { type: 'string', default: '', value: 'C,D', about: 'slugs of companies that are followed' },
  sandbox: { type: 'boolean', default: false, about: 'the synthetic network instead of vendors: no key, no cost' },
} as const satisfies Options
const tool = {
  command: 'vendors:soak',
  about: 'Runs the main job on real keys and says what failed that no answer of a vendor explains.',
  options,
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

await runTool(tool, async (values) => {
  const [dollars, minutes] = [Number(values.dollars), Number(values.minutes)]
  if (!(dollars > 0) || !(minutes > 0)) throw new UsageError('--dollars and --minutes must be numbers above 0')
  const names = values.sandbox ? vendorNames : vendorsWithKeys()
  if (names.length === 0)
    throw new UsageError(`${keySettings.primary} is not set; --sandbox tries the same without a vendor`)
  const sandbox = values.sandbox ? await startSandbox({ seed: 'soak' }) : null
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
      [vendorSetting(name, 'KEY'), sandbox ? 'sandbox' : keyOf(name)],
      [vendorSetting(name, 'URL'), url],
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
})
