import type { Kysely } from 'kysely'
import type { ServingSettings } from '../config/config.ts'
import type { VendorCosts } from '../edge/operator/route.ts'
import { passedMs, type SystemClock } from '../platform/clock.ts'
import { listMargins } from '../modules/credits/index.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Shards } from '../platform/db/shards.ts'
import type { Log } from '../platform/log.ts'
import type { VendorMetrics } from '../providers/metrics.ts'
import type { AccountReport, VendorAccount } from '../providers/accounts.ts'
import type { VendorBreaker } from '../providers/breaker/breaker.ts'
import type { CostMeter } from '../providers/costs/meter.ts'
import { daysLeft } from '../providers/costs/balance.ts'
import { countInFlight, listCosts, listCostliest, noteBalance, readVendorDay } from '../providers/costs/store.ts'
import { ProviderFailure, troubleMessages } from '../providers/ports.ts'
import type { SendMail } from '../sign-in/index.ts'
import type { PeriodicTask } from '../worker/clock.ts'

/** What the operator's view of vendors and the balance warnings need. */
export type VendorOperationParts = {
  readonly db: Kysely<Database>
  readonly shards: Shards
  readonly accounts: readonly VendorAccount[]
  readonly breaker: VendorBreaker
  readonly meter: CostMeter
  readonly settings: ServingSettings | undefined
  readonly system: SystemClock
  readonly serviceNow: () => Promise<Date>
  readonly metrics: Pick<VendorMetrics, 'vendors'>
  readonly sendMail: SendMail
  readonly log: Log
}

const callOptions = { timeoutMs: 10_000 } as const
const maxTeams = 1_000
const maxShown = 20
const cents = (dollars: number): number => Math.round(dollars * 1e4) / 1e4

type AccountReading = { readonly report: AccountReport | null; readonly failure: ProviderFailure | null }

const read = (account: VendorAccount): Promise<AccountReading> =>
  account.report(callOptions).then(
    (report) => ({ report, failure: null }),
    (error: unknown) => {
      if (error instanceof ProviderFailure) return { report: null, failure: error }
      throw error
    },
  )

const balanceOf = ({ report, failure }: AccountReading): number | null =>
  failure?.why === 'money' ? 0 : (report?.balance ?? null)

const keyOf = ({ report, failure }: AccountReading): 'good' | 'refused' | 'unknown' =>
  report ? 'good' : failure?.kind === 'account' && failure.why !== 'money' ? 'refused' : 'unknown'

/** One vendor for `GET /operator/vendors`: dollars, shares from 0 to 1, instants of service time. */
async function show(parts: VendorOperationParts, account: VendorAccount, deep: boolean) {
  const { vendor } = account
  const now = await parts.serviceNow()
  const asked = await read(account)
  const canary = deep ? await account.canary(callOptions).then(() => 'ok', describeRefusal) : undefined
  const today = await readVendorDay(parts.db, vendor, now)
  const held = (await parts.breaker.listHeld([vendor])).get(vendor) ?? null
  const balance = balanceOf(asked)
  return {
    vendor,
    key: keyOf(asked),
    vendorMessage: asked.failure?.vendorMessage ?? null,
    plan: asked.report?.plan ?? null,
    balance,
    daysLeft: balance === null ? null : daysLeft(balance, today.dollarsADay || today.dollars),
    rate: { maxInFlight: asked.report?.maxInFlight ?? null, perMinute: asked.report?.perMinute ?? null },
    inFlight: await countInFlight(parts.db, vendor, parts.system.nowMs()),
    held: held && { reason: held.reason, until: held.until, inWords: troubleMessages[held.reason] },
    today: { calls: today.calls, dollars: cents(today.dollars), errors: today.errors },
    dailyCap: parts.settings?.dailyDollars[vendor] ?? null,
    costliestToday: (await listCostliest(parts.db, vendor, now, maxShown)).map(
      ({ day: _day, vendor: _vendor, ...line }) => line,
    ),
    ...(canary === undefined ? {} : { canary }),
  }
}

function describeRefusal(error: unknown): string {
  if (error instanceof ProviderFailure) return error.message
  throw error
}

/** The vendor reports of the operator API. */
export function vendorCosts(parts: VendorOperationParts) {
  const names = parts.accounts.map(({ vendor }) => vendor)
  return {
    vendors: async (deep) => {
      await parts.meter.flush()
      return Promise.all(parts.accounts.map((account) => show(parts, account, deep)))
    },
    lines: async (days, most) => {
      await parts.meter.flush()
      return listCosts(parts.db, days, most)
    },
    margins: async (days: Parameters<VendorCosts['margins']>[0], ask: Shards['each'] = parts.shards.each) => {
      await parts.meter.flush()
      const price = parts.settings?.creditDollars ?? null
      const ofShards = await ask(() => listMargins(parts.db, { days, vendors: names, most: maxTeams }))
      const costliest = ofShards.flat().toSorted((a, b) => b.dollars - a.dollars)
      return costliest.slice(0, maxTeams).map(({ dollars, ...team }) => {
        const revenue = price === null ? null : cents(team.credits * price)
        return { ...team, dollars: cents(dollars), revenue, margin: revenue === null ? null : cents(revenue - dollars) }
      })
    },
  } satisfies VendorCosts
}

export type VendorReports = ReturnType<typeof vendorCosts>

/** Reads every account, updates the metrics, and warns when a balance has fallen past a mark; returns the number of warnings. */
export async function watchAccounts(parts: VendorOperationParts): Promise<number> {
  const held = await parts.breaker.listHeld(parts.accounts.map(({ vendor }) => vendor))
  let warned = 0
  const seen = await Promise.all(
    parts.accounts.map(async (account) => {
      const { vendor } = account
      const balance = balanceOf(await read(account))
      const mark = balance === null ? null : await noteBalance(parts.db, vendor, balance, await parts.serviceNow())
      if (mark !== null) {
        warned += 1
        await warnOfBalance(parts, vendor, balance!, mark)
      }
      return { vendor, balance, held: held.get(vendor)?.reason ?? null }
    }),
  )
  parts.metrics.vendors(seen, parts.system.nowMs())
  return warned
}

async function warnOfBalance(
  { log, settings, sendMail }: VendorOperationParts,
  vendor: string,
  balance: number,
  mark: number,
): Promise<void> {
  log.warn('the balance of a vendor goes down', { vendor, balance, percent: mark })
  const to = settings?.operatorMail
  if (!to) return
  const left = mark === 0 ? 'is empty' : `is down to ${mark} % of what was last paid in`
  const then =
    mark === 0
      ? 'Work that needs it waits, and goes on by itself within minutes once money is there.'
      : 'When it is empty, work that needs it waits.'
  await sendMail({
    to,
    subject: `The balance of ${vendor} ${left}`,
    text:
      `The account of the Lead Engagement Service at ${vendor} ${left}: ` +
      `$${balance.toFixed(2)} are left.\n\n${then}\n\n` +
      'GET /operator/vendors shows what it is spent on.\n',
  }).catch((error: unknown) => log.error('a mail could not be sent', { error }))
}

const flushEveryMs = 5_000
const watchEveryMs = 10 * 60_000

/** Periodic tasks for vendors. Accounts are read by system time, and not at all under a manual clock. */
export function vendorTasks(parts: VendorOperationParts, watching: boolean): PeriodicTask[] {
  // First after a minute, then every ten.
  let lastMs = parts.system.nowMs() + 60_000 - watchEveryMs
  return [
    { name: 'write down what vendors cost', everyMs: flushEveryMs, run: () => parts.meter.flush().then(() => 0) },
    {
      name: 'look at the accounts of vendors',
      everyMs: 60_000,
      run: async () => {
        const nowMs = parts.system.nowMs()
        if (!watching || passedMs(lastMs, nowMs) < watchEveryMs) return 0
        lastMs = nowMs
        return watchAccounts(parts)
      },
    },
  ]
}
