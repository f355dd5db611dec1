/** Thousands of malformed requests; `LES_MALFORMED=1000000` sends a million, `LES_MALFORMED_SEED` changes the seed. */
import { amount } from '../world/amount.ts'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { Writable } from 'node:stream'
import { useWorld } from '../world/world.ts'
import { malformedRequests, type Malformed } from './malformed.ts'
import { neverExisted, setStage } from './stage.ts'

/** The service's warnings, which say why an answer was a 5xx. */
const warnings: string[] = []
const log = openLog(
  'warn',
  new Writable({ write: (chunk: Buffer, _encoding, done) => (warnings.push(chunk.toString()), done()) }),
)
// Twelve concurrent requests exceed a team's limit: on a slow machine they wait for a place as long as necessary.
const system = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(10 * ms, signal) }
const world = useWorld({ config: { roles: ['http'] }, log, overrides: { system } })
const count = Number(process.env.LES_MALFORMED ?? amount(800, 50_000))
const seed = Number(process.env.LES_MALFORMED_SEED ?? 1)
const atOnce = 12

async function complaintAbout({ method, path, body }: Malformed, apiKey: string): Promise<string | undefined> {
  const told = `${method} ${path.slice(0, 200)} ${body?.toString('latin1').slice(0, 300) ?? ''}`
  try {
    const response = await fetch(`${world.url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      redirect: 'manual',
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
    const text = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500) {
      const requestId = response.headers.get('x-request-id') ?? 'none'
      const why = warnings.filter((line) => line.includes(requestId)).join(' ')
      return `${response.status} for ${told}: ${text.slice(0, 300)} ${why.slice(0, 1_000)}`
    }
    const parsed = text === '' ? {} : JSON.parse(text)
    if (response.status >= 400 && (typeof parsed.error !== 'string' || parsed.error === ''))
      return `no error in the body of ${response.status} for ${told}: ${text.slice(0, 300)}`
    if (!response.headers.has('x-ratelimit-limit')) return `no rate headers for ${told}`
    return undefined
  } catch (error) {
    return `${String(error)} for ${told}`
  }
}

const statuses = new Map<number, number>()

it(
  `${count} malformed requests of every operation: no 5xx, no torn connection, errors in shape, money adds up [ERR-01, ERR-02, CON-02]`,
  async () => {
    const { team, owned } = await setStage(world, {
      credits: 1_000_000,
      limits: { reads: 1_000_000, writes: 1_000_000, untrackedPosts: 1_000_000 },
    })
    const next = malformedRequests([owned, neverExisted(world)], seed)
    const complaints: string[] = []
    let left = count
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0 && complaints.length < 5) {
          const complaint = await complaintAbout(next(), team.apiKey)
          if (complaint !== undefined) complaints.push(complaint)
        }
      }),
    )
    expect(complaints).toEqual([])
    for (const status of [200, 400, 404, 409]) expect([status, statuses.has(status)]).toEqual([status, true])
    expect(Object.getPrototypeOf({})).not.toHaveProperty('polluted')
  },
  120_000 + count * 60,
)
