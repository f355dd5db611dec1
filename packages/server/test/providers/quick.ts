/** For adapter tests without a socket: a clock whose waits take no time, and vendors that answer from a list. */
import { type SystemClock, systemClock } from '../../src/platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse } from '../../src/platform/egress/types.ts'
import { createMemoryBudget } from './memory-budget.ts'
import { createHarvestApi } from '../../src/providers/network/harvestapi/index.ts'
import { createLinkdApi } from '../../src/providers/network/linkdapi/index.ts'
import type { VendorLogEntry } from '../../src/providers/calls.ts'
import { ProviderFailure } from '../../src/providers/ports.ts'
import { answerOf, failuresOf, type Served } from './answers.ts'

/** The data vendors, the primary first. */
export const vendorNames = ['harvestapi', 'linkdapi'] as const
export type VendorName = (typeof vendorNames)[number]

/** A system clock whose waits take no time but are added to its time. */
export function instantClock(): SystemClock & { slept: number[] } {
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
    expire: systemClock.expire,
    every: systemClock.every,
  }
}

/** The failure of a call that must fail. */
export const failureOf = failuresOf(ProviderFailure)

/** The key that adapters made by `adaptersAnswering` send. */
export const adapterKey = 'k3y-that-nobody-may-see'

/** The timeout of LinkdAPI's question for its per-minute limit, by which fixtures recognise it. */
const tierTimeoutMs = 5_000
export const noTier: Served = { body: { success: true, data: {} } }

/** An egress that answers LinkdAPI's question for its per-minute limit itself, so that tests see only their own calls. */
export const answeringTier = (egress: Egress, answer: () => EgressResponse): Egress => ({
  request: async (request) =>
    request.timeoutMs === tierTimeoutMs && request.url.includes('/credits/tier/') ? answer() : egress.request(request),
  close: () => egress.close(),
})

/** Both adapters, over a vendor that gives these answers in turn and repeats the last one; none about the per-minute limit. */
export const adaptersAnswering = (...served: Served[]) => adaptersAnsweringWithLimit(noTier, ...served)

/** The same, with the account's answer about its per-minute limit; `tierAsked` counts the questions. */
export function adaptersAnsweringWithLimit(tier: Served | 'unreachable', ...served: Served[]) {
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
  const system = instantClock()
  const log: VendorLogEntry[] = []
  const options = {
    baseUrl: 'https://vendor.example/prefix/',
    apiKey: adapterKey,
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
