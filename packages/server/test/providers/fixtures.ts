import { type Sandbox, startSandbox } from '@les/sandbox'
import { type SystemClock, systemClock } from '../../src/platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse, openPooledEgress } from '../../src/platform/egress/index.ts'
import {
  type AdapterOptions,
  createHarvestApi,
  createLinkdApi,
  createMemoryBudget,
  type VendorBudget,
  type VendorLogEntry,
} from '../../src/providers/network/index.ts'
import { type NetworkProvider, type Page, type PageCursor, ProviderFailure } from '../../src/providers/ports.ts'

/** A machine clock whose waits take no time: what was slept is added to the time. */
export function hastyClock(): SystemClock & { slept: number[] } {
  let offsetMs = 0
  const slept: number[] = []
  return {
    slept,
    nowMs: () => systemClock.nowMs() + offsetMs,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      offsetMs += ms
    },
    every: systemClock.every,
  }
}

export const vendorNames = ['harvestapi', 'linkdapi'] as const
export type VendorName = (typeof vendorNames)[number]

/** Everything a contract test needs: the sandbox, both adapters, and what they did. */
export type Outside = {
  sandbox: Sandbox
  egress: Egress
  log: VendorLogEntry[]
  clock: ReturnType<typeof hastyClock>
  vendor(name: VendorName, change?: Partial<AdapterOptions>): NetworkProvider
  close(): Promise<void>
}

/** Starts a sandbox at a fixed time with both adapters in front of it. */
export async function openOutside(budget?: VendorBudget): Promise<Outside> {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const sandbox = await startSandbox({ seed: 'contract', now: () => now })
  const egress = answeringTier(openPooledEgress(), () => answerOf(noTier))
  const log: VendorLogEntry[] = []
  const clock = hastyClock()
  return {
    sandbox,
    egress,
    log,
    clock,
    vendor: (name, change = {}) => {
      const options: AdapterOptions = {
        baseUrl: sandbox.addresses[name],
        apiKey: 'good-key',
        egress,
        budget: budget ?? createMemoryBudget({ system: systemClock }),
        system: clock,
        random: { next: () => 0.5 },
        log: (entry) => log.push(entry),
        ...change,
      }
      return name === 'harvestapi' ? createHarvestApi(options) : createLinkdApi(options)
    },
    close: async () => {
      await egress.close()
      await sandbox.close()
    },
  }
}

/** Reads a paged read to its end; fails after 300 pages. */
export async function readAll<P extends Page<unknown>>(
  read: (cursor: PageCursor | null) => Promise<P>,
): Promise<{ items: P['items'][number][]; pages: P[] }> {
  const pages: P[] = []
  let cursor: PageCursor | null = null
  do {
    const page: P = await read(cursor)
    pages.push(page)
    cursor = page.next
  } while (cursor !== null && pages.length < 300)
  if (cursor !== null) throw new Error('the read does not end')
  return { items: pages.flatMap((page) => page.items), pages }
}

/** The failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ProviderFailure> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome && outcome.error instanceof ProviderFailure) return outcome.error
  throw new Error(
    `expected a ProviderFailure, got ${'error' in outcome ? String(outcome.error) : JSON.stringify(outcome.value)?.slice(0, 200)}`,
  )
}

/** An answer to be served. */
export type Served = { status?: number; body: unknown; headers?: Record<string, string> }

/** The key that adapters made by `behind` send. */
export const behindKey = 'k3y-that-nobody-may-see'

/** How long LinkdAPI's adapter waits for its limit per minute, by which fixtures know that question from the others. */
const tierTimeoutMs = 5_000
const noTier: Served = { body: { success: true, data: {} } }

/**
 * A way out on which LinkdAPI's adapter is told its limit per minute by us, so that no call of a test is one that the
 * test did not make.
 */
const answeringTier = (egress: Egress, answer: () => EgressResponse): Egress => ({
  request: async (request) =>
    request.timeoutMs === tierTimeoutMs && request.url.includes('/credits/tier/') ? answer() : egress.request(request),
  close: () => egress.close(),
})

/**
 * Both adapters before answers served in turn, the last one again and again; what they asked, sent and told. Of its
 * limit per minute the account says nothing: see `behindTier`.
 */
export const behind = (...served: Served[]) => behindTier(noTier, ...served)

/** The same, with what the account says of its limit per minute; `tierAsked` counts how often. */
export function behindTier(tier: Served | 'unreachable', ...served: Served[]) {
  let tierAsked = 0
  const asked: URL[] = []
  const sent: Record<string, string>[] = []
  const plain: Egress = {
    request: async (request) => {
      asked.push(new URL(request.url))
      sent.push(request.headers ?? {})
      const next = served[Math.min(asked.length, served.length) - 1]!
      return answerOf(next)
    },
    close: async () => {},
  }
  const egress = answeringTier(plain, () => {
    tierAsked += 1
    if (tier === 'unreachable') throw new EgressFailure('connection', 'refused')
    return answerOf(tier)
  })
  const system = hastyClock()
  const log: VendorLogEntry[] = []
  const options = {
    baseUrl: 'https://vendor.example/prefix/',
    apiKey: behindKey,
    egress,
    budget: createMemoryBudget({ system }),
    system,
    random: { next: () => 0.5 },
    log: (entry: VendorLogEntry) => void log.push(entry),
  }
  return {
    asked,
    tierAsked: () => tierAsked,
    sent,
    log,
    system,
    harvest: createHarvestApi(options),
    linkd: createLinkdApi(options),
  }
}

const answerOf = ({ status = 200, headers = {}, body }: Served): EgressResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  truncated: false,
  elapsedMs: 1,
})
