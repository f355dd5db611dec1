import { type Sandbox, startSandbox } from '@les/sandbox'
import { systemClock } from '../../src/platform/clock.ts'
import { type Egress, openPooledEgress } from '../../src/platform/egress/index.ts'
import { type AdapterOptions, createHarvestApi, createLinkdApi } from '../../src/providers/network/index.ts'
import { createMemoryBudget } from './memory-budget.ts'
import type { VendorBudget } from '../../src/providers/budget.ts'
import type { VendorLogEntry } from '../../src/providers/calls.ts'
import type { NetworkProvider, Page, PageCursor } from '../../src/providers/ports.ts'
import { answerOf } from './answers.ts'
import { answeringTier, instantClock, noTier, type VendorName } from './quick.ts'

/** What contract tests need: the sandbox, both adapters, and their log. */
export type Outside = {
  sandbox: Sandbox
  egress: Egress
  log: VendorLogEntry[]
  clock: ReturnType<typeof instantClock>
  vendor(name: VendorName, change?: Partial<AdapterOptions>): NetworkProvider
  close(): Promise<void>
}

/** Starts a sandbox at a fixed time with both adapters in front of it. */
export async function openOutside(budget?: VendorBudget): Promise<Outside> {
  const now = new Date('2026-11-20T12:00:00.000Z')
  const sandbox = await startSandbox({ seed: 'contract', now: () => now })
  const egress = answeringTier(openPooledEgress(), () => answerOf(noTier))
  const log: VendorLogEntry[] = []
  const clock = instantClock()
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

/** Reads all pages; fails after 300. */
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
