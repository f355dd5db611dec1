/**
 * Every way out of the service: vendors of data, the AI judge, the outreach platform, webhook receivers; what calls
 * cost and what is held.
 */
import { agentScores } from '../modules/agent/index.ts'
import { companyResolver } from '../modules/enrichment/index.ts'
import { openBlockList } from '../modules/network/index.ts'
import { guarded, type Undo, type Base, type Overrides } from './base.ts'
import { openGuardedEgress, openPooledEgress, type Egress } from '../platform/egress/index.ts'
import { createPgBreaker, type VendorBreaker } from '../providers/breaker/breaker.ts'
import { currentLogContext } from '../platform/log-context.ts'
import { cappedJudge, dailyCap } from '../providers/costs/cap.ts'
import { openMeter, type CostMeter } from '../providers/costs/meter.ts'
import { allVendorsHeld, type NetworkVendor, type VendorAccount } from '../providers/accounts.ts'
import { keepingJudge, keepingNetwork, openKeptAnswers } from '../worker/kept-answers.ts'
import type { AiVendor, Config, VendorSettings } from '../config/config.ts'
import { networkVendorIds, perNetworkVendor, type NetworkVendorId } from '../config/network-vendors.ts'
import { maxVendorCalls } from '../modules/accounts/index.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { VendorMetrics } from '../providers/metrics.ts'
import type { Random, Ids } from '../platform/random.ts'
import type { Tracing } from '../platform/tracing.ts'
import { type AiJudge, createAiJudge, heldJudge } from '../providers/ai/index.ts'
import {
  budgetedByTeam,
  createHarvestApi,
  createLinkdApi,
  createNetwork,
  heldVendor,
  type AdapterOptions,
} from '../providers/network/index.ts'
import { createHeyReach, heldPlatform, type OutreachPlatform } from '../providers/outreach/index.ts'
import { createPgBudget } from '../providers/budget.ts'
import type { Network } from '../providers/ports.ts'

/** The ways out. */
export type Calls = ReturnType<typeof openCalls>

function openMeterOf({ database, serviceNow, system, log }: Base, undo: Undo[]) {
  const meter = openMeter({ db: database.root, serviceNow })
  const flushing = system.every(5_000, () => void meter.flush().catch((error: unknown) => log.warn('costs', { error })))
  undo.push(async () => {
    flushing()
    await meter.flush()
  })
  return meter
}

/** Opens them; `undo` gets what must be closed. */
export function openCalls(base: Base, overrides: Overrides, undo: Undo[]) {
  const { config, system, random, ids, owner, log, metrics, tracing, database, unitOfWork, serviceNow } = base
  const vendorEgress = guarded(openPooledEgress({ system }))
  const webhookEgress = tracedEgress(
    tracing,
    'delivery attempt',
    guarded(openGuardedEgress({ allowPrivate: config.allowPrivateDestinations, system })),
  )
  undo.push(
    () => vendorEgress.close(),
    () => webhookEgress.close(),
  )
  const meter = openMeterOf(base, undo)
  const onCall = observeCalls({ log, metrics, tracing, meter: () => meter })
  const calling = { egress: vendorEgress, system, random, onCall }
  const kept = openKeptAnswers({ db: database.root, unitOfWork })
  const capped = dailyCap({ db: database.root, caps: config.serving?.dailyDollars ?? {}, meter })
  const breaker = overrides.breaker ?? createPgBreaker({ db: database.root, serviceNow, capped })
  const addresses = base.sandbox?.addresses
  const counted = { ...calling, database, owner, breaker }
  const vendors = overrides.network
    ? { network: overrides.network, accounts: [] }
    : openNetwork(config, addresses, { ...counted, serviceNow })
  return {
    webhookEgress,
    meter,
    breaker,
    kept,
    accounts: vendors.accounts,
    network: keepingNetwork(vendors.network, kept),
    judge: keepingJudge(
      cappedJudge(overrides.judge ?? openJudge(config, addresses, { ...calling, ids, breaker }), {
        db: database.root,
        dollars: config.serving?.aiDailyDollars ?? null,
        meter,
        serviceNow,
        team: () => currentLogContext().teamId?.toString(),
      }),
      kept,
    ),
    platform: openOutreach(config, addresses, counted),
    allHeld: allVendorsHeld(breaker, vendors.accounts),
  }
}

/** One try of one call of an outside system; carries no key and no answer, but of a failure what the vendor said. */
type CallEntry = {
  readonly provider: string
  readonly operation: string
  readonly outcome: string
  readonly status: number | null
  readonly elapsedMs: number
  readonly cost?: number | null
  /** Dollars that the team pays with a key of its own. */
  readonly teamCost?: number | null
  readonly vendorMessage?: string
  readonly requestId?: string
}

/** What calls are made with. */
type VendorParts = {
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
  readonly onCall: (entry: CallEntry) => void
}

/** What calls are counted with over all processes, and held by. */
type SharedParts = VendorParts & {
  readonly database: OpenDatabase
  readonly owner: string
  readonly breaker: VendorBreaker
}

/** Addresses of the data vendors that the sandbox plays. */
type DataAddresses = Readonly<Partial<Record<NetworkVendorId, string>>>

/** Addresses of the sandbox's vendors. */
type Addresses = DataAddresses & {
  readonly heyreach: string
  readonly ai: Readonly<Record<AiVendor, string>>
}

/** Tells the log, the metrics and the trace of every try of a call. */
function observeCalls(parts: {
  readonly log: Log
  readonly metrics: Pick<VendorMetrics, 'vendorCall'>
  readonly tracing: Tracing
  readonly meter: () => CostMeter
}): (entry: CallEntry) => void {
  return (entry) => {
    const { provider: vendor, operation, outcome, status, elapsedMs } = entry
    parts.log.info('vendor call', { ...entry })
    parts.meter().count(entry)
    parts.metrics.vendorCall({ vendor, operation, outcome, seconds: elapsedMs / 1000, cost: entry.cost ?? null })
    parts.tracing.over(`${vendor} ${operation}`, {
      role: 'call',
      attributes: {
        'les.vendor': vendor,
        'les.outcome': outcome,
        ...(status === null ? {} : { 'http.response.status_code': status }),
      },
      elapsedMs,
      failed: outcome !== 'ok' && outcome !== 'not_found',
    })
  }
}

/** A way out whose exchanges are spans; of an address they show the host alone, since what follows may be a token. */
function tracedEgress(tracing: Tracing, name: string, egress: Egress): Egress {
  if (!tracing.on) return egress
  return {
    request: (request) =>
      tracing.around(
        name,
        {
          role: 'call',
          attributes: {
            'http.request.method': request.method,
            'server.address': URL.parse(request.url)?.hostname ?? '',
          },
          end: ({ status }) => ({ failed: status >= 400, attributes: { 'http.response.status_code': status } }),
        },
        () => egress.request(request),
      ),
    close: () => egress.close(),
  }
}

/** The adapter of each data vendor. */
export const networkAdapters: Readonly<Record<NetworkVendorId, (options: AdapterOptions) => NetworkVendor>> = {
  harvestapi: createHarvestApi,
  linkdapi: createLinkdApi,
}

/** Addresses and keys of the data vendors: those of the sandbox, or whichever real ones are set up; never both worlds. */
function dataVendors(
  { vendors }: Config,
  addresses: DataAddresses = {},
): Readonly<Record<NetworkVendorId, VendorSettings | null>> {
  if (vendors.kind === 'real') return vendors
  return perNetworkVendor((id) => {
    const url = addresses[id]
    return url === undefined ? null : { url, key: 'sandbox' }
  })
}

/** The data vendors of a configuration, the primary first; empty for a sandbox that does not run. */
export function openDataVendors(
  config: Config,
  addresses: DataAddresses | undefined,
  shared: Omit<AdapterOptions, 'baseUrl' | 'apiKey'>,
): readonly NetworkVendor[] {
  const settings = dataVendors(config, addresses)
  return networkVendorIds.flatMap((id) => {
    const account = settings[id]
    return account ? [networkAdapters[id]({ baseUrl: account.url, apiKey: account.key, ...shared })] : []
  })
}

/** The network of vendors, and the accounts that its calls are paid from. */
function openNetwork(
  config: Config,
  addresses: Addresses | undefined,
  { onCall, breaker, ...parts }: SharedParts & { readonly serviceNow: () => Promise<Date> },
): { readonly network: Network; readonly accounts: readonly VendorAccount[] } {
  const budget = createPgBudget({
    db: parts.database.root,
    system: parts.system,
    random: parts.random,
    owner: parts.owner,
  })
  const shared = { egress: parts.egress, budget, system: parts.system, random: parts.random, log: onCall }
  const vendors = openDataVendors(config, addresses, shared)
  const listed = vendors.map((vendor) => {
    const id = vendor.account.vendor
    return { id, vendor: heldVendor(id, vendor, breaker) }
  })
  const network = createNetwork(listed, config.serving ? { fallbackPages: config.serving.fallbackPages } : {})
  const accounts = vendors.map(({ account }) => account)
  return {
    network: budgetedByTeam(network, {
      db: parts.database.root,
      serviceNow: parts.serviceNow,
      team: () => currentLogContext().teamId?.toString(),
      maxCallsOf: maxVendorCalls,
      allHeld: allVendorsHeld(breaker, accounts),
    }),
    accounts,
  }
}

/** The outreach platform; another one takes its place here. Its budget is counted per key of a team. */
function openOutreach(
  config: Config,
  addresses: Addresses | undefined,
  { onCall, breaker, ...parts }: SharedParts,
): OutreachPlatform {
  const budget = createPgBudget({
    db: parts.database.root,
    system: parts.system,
    random: parts.random,
    owner: parts.owner,
  })
  const platform = createHeyReach({
    egress: parts.egress,
    budget,
    system: parts.system,
    random: parts.random,
    baseUrl: config.vendors.kind === 'sandbox' ? addresses!.heyreach : config.vendors.outreach,
    log: onCall,
  })
  return heldPlatform(platform, breaker)
}

/** The judge of the AI filter: the vendors' own addresses, or the sandbox's. */
function openJudge(
  config: Config,
  addresses: Addresses | undefined,
  { onCall, breaker, ...parts }: VendorParts & { readonly ids: Ids; readonly breaker: VendorBreaker },
): AiJudge {
  const judge = createAiJudge({
    ...parts,
    addresses: config.vendors.kind === 'sandbox' ? addresses!.ai : config.vendors.ai,
    log: onCall,
  })
  return heldJudge(judge, breaker)
}

/** The parts of modules. */
export type Parts = ReturnType<typeof partsOf>

/** Makes them: `shared` for background work, `serving` for requests, which have units of work and a pool of their own. */
export function partsOf(base: Base, calls: Calls) {
  const { database, requests, vault, system, owner, clock, log } = base
  const working = {
    db: database.root,
    unitOfWork: base.unitOfWork,
    network: calls.network,
    judge: calls.judge,
    system,
    faultPoint: base.faults.faultPoint,
    owner,
    serviceNow: clock.now,
  }
  const blockList = openBlockList(vault)
  const shared = { ...working, blockList, companies: companyResolver(working) }
  const serving = { ...shared, db: requests.root, unitOfWork: base.unitOfRequests }
  const outreach = { ...shared, platform: calls.platform, vault, scores: agentScores, log }
  return {
    shared,
    serving,
    outreach,
    outreachServing: { ...outreach, db: serving.db, unitOfWork: serving.unitOfWork },
    /** The way to webhook receivers, for samples. */
    sampling: {
      db: requests.root,
      vault,
      ids: base.ids,
      egress: calls.webhookEgress,
      system,
      allowPrivate: base.config.allowPrivateDestinations,
      serviceNow: clock.now,
    },
  }
}
