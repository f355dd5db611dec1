import { agentScores } from '../modules/agent/index.ts'
import { updateAtDestinations } from '../modules/delivery/index.ts'
import { companyResolver } from '../modules/enrichment/index.ts'
import { holdResultsById, recordStages } from '../modules/results/index.ts'
import { openBlockList, type PersonNamed } from '../modules/network/index.ts'
import { eraseRecognised } from '../modules/privacy/index.ts'
import { guarded, type Undo, type Base, type Overrides } from './base.ts'
import { adapterOf, destinationCalls } from './destinations.ts'
import { erasingParts } from './erasing.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { oneEachShard } from '../platform/db/shards.ts'
import { openGuardedEgress, openPooledEgress, type Egress } from '../platform/egress/index.ts'
import { createPgBreaker } from '../providers/breaker/breaker.ts'
import { currentLogContext } from '../platform/log-context.ts'
import { dailyCap } from '../providers/costs/cap.ts'
import { openMeter, type CostMeter } from '../providers/costs/meter.ts'
import { allVendorsHeld, type NetworkVendor } from '../providers/accounts.ts'
import { cachingJudge, cachingNetwork, openKeptAnswers } from '../worker/kept-answers.ts'
import type { Config } from '../config/config.ts'
import { networkVendorIds, type NetworkVendorId } from '../config/network-vendors.ts'
import { maxVendorCalls } from '../modules/accounts/index.ts'
import type { Tracing } from '../platform/tracing.ts'
import { type AiLogEntry, createAiJudge, judgeWithBreaker } from '../providers/ai/index.ts'
import {
  budgetedByTeam,
  createHarvestApi,
  createLinkdApi,
  createNetwork,
  vendorWithBreaker,
  type AdapterOptions,
} from '../providers/network/index.ts'
import { createHeyReach, heldPlatform } from '../providers/outreach/index.ts'
import { createPgBudget } from '../providers/budget.ts'
import type { VendorLogEntry } from '../providers/calls.ts'

/** All outbound calls of a process, with their costs and holds. */
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

/** Opens outbound calls; `undo` receives what must be closed. */
export function openCalls(base: Base, overrides: Overrides, undo: Undo[]) {
  const { config, system, random, ids, processId, tracing, database, unitOfWork, serviceNow } = base
  const vendorEgress = guarded(openPooledEgress(system))
  const customers = openGuardedEgress({ allowPrivate: config.allowPrivateDestinations, system })
  const webhookEgress = tracedEgress(tracing, guarded(customers))
  undo.push(
    () => vendorEgress.close(),
    () => webhookEgress.close(),
  )
  const meter = openMeterOf(base, undo)
  const onCall = observeCalls(base, meter)
  const calling = { egress: vendorEgress, system, random, log: onCall }
  const budget = createPgBudget({ db: database.root, system, random, processId })
  const kept = openKeptAnswers({ db: database.root, unitOfWork })
  const capped = dailyCap({ db: database.root, caps: config.serving?.dailyDollars ?? {}, meter })
  const breaker = overrides.breaker ?? createPgBreaker({ db: database.root, serviceNow, capped })
  const addresses = base.sandbox?.addresses
  const team = () => currentLogContext().teamId?.toString()
  const vendors = overrides.network ? [] : openDataVendors(config, addresses, { ...calling, budget })
  const accounts = vendors.map(({ account }) => account)
  const allHeld = allVendorsHeld(breaker, accounts)
  const openNetwork = () =>
    budgetedByTeam(
      createNetwork(
        vendors.map((vendor) => ({
          id: vendor.account.vendor,
          vendor: vendorWithBreaker(vendor.account.vendor, vendor, breaker),
        })),
        config.serving ? { fallbackPages: config.serving.fallbackPages } : {},
      ),
      { db: database.root, serviceNow, team, maxCallsOf: maxVendorCalls, allHeld },
    )
  const { ai, outreach } =
    config.vendors.kind === 'real' ? config.vendors : { ai: addresses!.ai, outreach: addresses!.heyreach }
  const judge = overrides.judge ?? judgeWithBreaker(createAiJudge({ ...calling, ids, addresses: ai }), breaker)
  return {
    webhookEgress,
    destinations: destinationCalls(config, { vendorEgress, webhookEgress, played: addresses?.destinations }),
    meter,
    breaker,
    kept,
    accounts,
    network: cachingNetwork(overrides.network ?? openNetwork(), kept),
    judge: cachingJudge(judge, kept),
    /** Replace this to use another outreach platform. Its budget is counted per key of a team. */
    platform: heldPlatform(createHeyReach({ ...calling, budget, baseUrl: outreach }), breaker),
    allHeld,
  }
}

/** One attempt of an outside call: no key and no answer, except the vendor's message of a failure. */
type CallEntry = (VendorLogEntry & { readonly teamCost?: never }) | (AiLogEntry & { readonly cost?: never })

const observeCalls =
  ({ log, metrics, tracing }: Base, meter: CostMeter) =>
  (entry: CallEntry): void => {
    const { provider: vendor, operation, outcome, status, elapsedMs } = entry
    log.info('vendor call', { ...entry })
    meter.count(entry)
    metrics.vendorCall({ vendor, operation, outcome, seconds: elapsedMs / 1000, cost: entry.cost ?? null })
    tracing.over(`${vendor} ${operation}`, {
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

/** Adds spans, which show only the host of a URL: the rest may contain a token. */
function tracedEgress(tracing: Tracing, egress: Egress): Egress {
  if (!tracing.on) return egress
  return {
    request: (request) =>
      tracing.around(
        'delivery attempt',
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

/** The configured data vendors, primary first: the sandbox's or real ones, never both. Empty when the sandbox does not run. */
export function openDataVendors(
  { vendors }: Config,
  addresses: Readonly<Partial<Record<NetworkVendorId, string>>> | undefined,
  shared: Omit<AdapterOptions, 'baseUrl' | 'apiKey'>,
): readonly NetworkVendor[] {
  return networkVendorIds.flatMap((id) => {
    const url = addresses?.[id]
    const account = vendors.kind === 'real' ? vendors[id] : url === undefined ? null : { url, key: 'sandbox' }
    return account ? [networkAdapters[id]({ baseUrl: account.url, apiKey: account.key, ...shared })] : []
  })
}

export type Parts = ReturnType<typeof partsOf>

/** Builds them: `shared` for background work; `serving` for requests, with their own pool and units of work. */
export function partsOf(base: Base, calls: Calls) {
  const { database, requests, vault, system, processId, clock, log } = base
  const working = {
    db: database.root,
    unitOfWork: base.unitOfWork,
    network: calls.network,
    judge: calls.judge,
    system,
    faultPoint: base.faults.faultPoint,
    processId,
    serviceNow: clock.now,
  }
  const blockList = openBlockList(vault)
  const erasing = erasingParts(base, blockList)
  const shared = {
    ...working,
    blockList,
    eraseRecognised: (tx: Tx, teamId: string, person: PersonNamed) => eraseRecognised(tx, erasing, { teamId, person }),
    companies: oneEachShard(() => companyResolver(working)),
    onChanged: updateAtDestinations,
    holdResults: holdResultsById,
  }
  const serving = { ...shared, db: requests.root, unitOfWork: base.unitOfRequests }
  const outreach = { ...shared, platform: calls.platform, vault, scores: agentScores, log }
  const destinations = {
    ...shared,
    vault,
    log,
    ...calls.destinations,
    adapterOf,
    recordStages,
    origin: () => base.config.publicUrl,
  }
  const sampling = {
    db: requests.root,
    vault,
    ids: base.ids,
    egress: calls.webhookEgress,
    system,
    allowPrivate: base.config.allowPrivateDestinations,
    serviceNow: clock.now,
  }
  return {
    shared,
    serving,
    outreach,
    sampling,
    destinations,
    destinationsServing: { ...destinations, db: serving.db, unitOfWork: serving.unitOfWork, ids: base.ids, sampling },
    outreachServing: { ...outreach, db: serving.db, unitOfWork: serving.unitOfWork },
  }
}
