/** Everything that is served over HTTP: handlers, sign-in, the request log, and files. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  accountHandlers,
  type Handlers,
  auditOperations,
  settingsOperations,
  viewOperations,
  type SessionHandlers,
  requestLogOperations,
  openRequestLog,
  type RequestLog,
} from '../modules/accounts/index.ts'
import { agentOperations, agentsForSends } from '../modules/agent/index.ts'
import { creditOperations, disputeOperations, readCredits, shareAccount } from '../modules/credits/index.ts'
import {
  deliveryListOperations,
  deliveryOperations,
  destinationOperations,
  exportOperations,
  hookOperations,
  openExport,
  endDeliveries,
  pushOperations,
  troubleshootOperations,
  sendSample,
} from '../modules/delivery/index.ts'
import { discoverOperations } from '../modules/discover/index.ts'
import { enrichmentOperations } from '../modules/enrichment/index.ts'
import { icpOperations, comparisonOperations } from '../modules/fit/index.ts'
import { jobOperations } from '../modules/jobs/index.ts'
import { listingOperations, searchOperations, tryOutOperations } from '../modules/keywords/index.ts'
import { readAddress, receivePosts, resultOperations, type AddressParts } from '../modules/results/index.ts'
import { exclusionOperations, leadOperations, sortedLeadOperations } from '../modules/leads/index.ts'
import { outreachOperations } from '../modules/outreach/index.ts'
import { postReadOperations } from '../modules/capture/index.ts'
import { eraseEverywhere, listErasuresOfAll, privacyOperations, retentionOperations } from '../modules/privacy/index.ts'
import {
  describeSources,
  editOperations,
  findServedSource,
  lockServedSource,
  postOperations,
  sourceOperations,
} from '../modules/sources/index.ts'
import type { Base, Overrides, Undo } from './base.ts'
import type { Parts } from './calls.ts'
import { erasingParts } from './erasing.ts'
import {
  creditDashboardOperations,
  yieldOperations,
  deliveryLogOperations,
  leadDetailOperations,
  leadWhyOperations,
  outreachResultOperations,
  quoteOperations,
  sourceHealthOperations,
  sourceNameOperations,
  sendOperations,
  teamDefaultOperations,
  trackingWithDefaults,
  reportOperations,
} from '../modules/reports/index.ts'
import { isOperator, operatorPageOperations } from './operator-pages.ts'
import {
  connectionOperations,
  peopleOperations,
  type SignIn,
  inviteForOperator,
  openSignIn,
  originOf,
  strictLimits,
} from '../sign-in/index.ts'
import { readFile } from 'node:fs/promises'
import { faultPoints } from '../fault-points.ts'
import { openHttp, type HttpParts, type HttpServer } from '../edge/http/server.ts'
import { atMost } from '../platform/clock.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { exportTeam } from '../worker/team-end/export.ts'
import { endTeam } from '../worker/team-end/purge.ts'
import { networkTrouble } from '../providers/accounts.ts'
import { vendorCosts, type VendorOperationParts } from './vendor-operations.ts'

const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The first existing path: next to the bundle in a built tree, or in a checkout; else the last, for the error message. */
const firstThere = (...paths: readonly string[]): string => paths.find((path) => existsSync(path)) ?? paths.at(-1)!

const pagesFolder: string = firstThere(beside('../dashboard'), beside('../../../dashboard/dist'))

const sampleTeamFile: string = firstThere(beside('../sample-team/rows.jsonl'), beside('../../sample-team/rows.jsonl'))

/** Archives of the clients and their checksums, for installing without a registry. */
const downloadsFolder: string = firstThere(beside('../downloads'), beside('../../../../dist/downloads'))

const erasingWith = (base: Base, serving: Parts['serving'], requestLog: RequestLog) => ({
  ...serving,
  ...erasingParts(base, serving.blockList),
  flushCalls: () => requestLog.flush(),
})

/** Waits for a running erasure of the team, which locks its account. */
export const awaitErasure = async (tx: Tx, teamId: string): Promise<void> =>
  void (await shareAccount(tx, teamId, 'team'))

const owners = { find: findServedSource, lock: lockServedSource }

/** A missing handler does not compile. */
function handlersOf(
  base: Base,
  { serving, outreachServing, destinationsServing }: Parts,
  origin: () => string,
  requestLog: RequestLog,
): Handlers {
  const { config, ids, vault, faults } = base
  const { network, blockList } = serving
  const { faultPoint } = faults
  const allowPrivate = config.allowPrivateDestinations
  const address: AddressParts = { vault, ids, unitOfWork: serving.unitOfWork, publicOrigin: origin }
  return {
    ...accountHandlers({ ids }),
    ...creditOperations(describeSources),
    ...deliveryListOperations,
    ...disputeOperations,
    ...reportOperations,
    ...deliveryOperations({ vault, allowPrivate }),
    ...pushOperations({ faultPoint }),
    ...icpOperations({ ...serving, owners }),
    ...discoverOperations,
    ...enrichmentOperations({ network, faultPoint, blockList }),
    ...jobOperations,
    ...leadOperations,
    ...leadWhyOperations,
    ...outreachOperations({ ...outreachServing, resultsUrl: readAddress(address) }),
    ...resultOperations({ ...address, blockList }),
    ...exclusionOperations({ namesErased: blockList.namesErased, awaitErasure }),
    ...retentionOperations,
    ...destinationOperations(destinationsServing),
    ...hookOperations({ vault, ids, allowPrivate }),
    ...exportOperations({ vault, origin }),
    ...agentOperations({ ...serving, enabled: config.agentEnabled, allowPrivate, outreach: outreachServing }),
    ...postReadOperations({ ...serving, vault }),
    ...sourceOperations({ endDeliveries }),
    ...listingOperations,
    ...searchOperations({ cutoverAt: config.keywordCutoverAt, blockList }),
    ...editOperations({ faultPoint }),
    ...postOperations({ network, faultPoint, endDeliveries, blockList }),
    ...privacyOperations({ ...erasingWith(base, serving, requestLog), vault }),
  }
}

type OperatorParts = HttpParts['operator']

const teamExporter =
  ({ requests }: Base): OperatorParts['exportTeam'] =>
  (teamId, write) =>
    exportTeam(requests.root, teamId, write)

/** What background work provides for the operator API. */
export type OperatorHooks = Pick<OperatorParts, 'drain' | 'onClockMoved'>

/** How long the end waits for mails on their way, in milliseconds. */
const lastMailsMs = 1_000

function openSignInOf(base: Base, overrides: Overrides, vendors: VendorOperationParts, origin: () => string): SignIn {
  const { config, requests, ids, system, vault, log, clock } = base
  return openSignIn({
    db: requests.bare,
    ids,
    system,
    vault,
    log,
    sendMail: vendors.sendMail,
    origin,
    signUp: config.signUp,
    serviceNow: () => clock.now(requests.root),
    limits: overrides.signInLimits === undefined ? strictLimits : overrides.signInLimits,
    trustedProxies: config.trustedProxies,
    desktopSchemes: config.redirectSchemes,
  })
}

function operatorParts(
  base: Base,
  { serving, sampling }: Parts,
  signIn: SignIn,
  costs: OperatorParts['costs'],
  requestLog: RequestLog,
): Omit<OperatorParts, keyof OperatorHooks> {
  const { requests, clock, vault, ids, log, system, config, faults } = base
  return {
    token: base.operatorToken,
    nowMs: () => system.nowMs(),
    db: requests.root,
    unitOfWork: serving.unitOfWork,
    shards: base.shards,
    clock,
    vault,
    ids,
    log,
    invite: inviteForOperator({ ids, signIn }),
    costs,
    privacy: {
      erase: (asked) => eraseEverywhere({ ...erasingWith(base, serving, requestLog), shards: base.shards }, asked),
      list: () => listErasuresOfAll(requests.root, base.shards),
    },
    sendSample: (teamId, sourceId) => sendSample(sampling, teamId, sourceId),
    endTeam: (teamId) => endTeam({ unitOfWork: serving.unitOfWork, faultPoint: faults.faultPoint }, teamId),
    exportTeam: teamExporter(base),
    faults: config.faults ? { points: faultPoints, arm: faults.arm } : undefined,
  }
}

function openRequestLogOf(
  { requests, shards, teamsMove, ids, system, log }: Base,
  { blockList }: Parts['serving'],
  undo: Undo[],
) {
  const { namesErased } = blockList
  const requestLog = openRequestLog({ db: requests.root, shards, teamsMove, ids, system, log, namesErased })
  const writing = system.every(1_000, () => void requestLog.flush())
  undo.push(async () => {
    writing()
    await requestLog.flush()
  })
  return requestLog
}

/** Builds the server, not listening yet; `undo` receives what must be closed. */
export function openServer(
  base: Base,
  parts: Parts,
  overrides: Overrides,
  vendors: VendorOperationParts,
  hooks: OperatorHooks,
  undo: Undo[],
): { readonly http: HttpServer; readonly signIn: SignIn } {
  const { config, requests, clock, system, vault, ids, log, metrics, tracing } = base
  const { serving, sampling } = parts
  const sandbox = base.sandbox !== undefined
  const publicOrigin = (): string => originOf(config.publicUrl, http.address())
  const signIn = openSignInOf(base, overrides, vendors, publicOrigin)
  // A silent mail server delays the end only briefly.
  undo.push(() => atMost(system, lastMailsMs, signIn.settled()))
  const requestLog = openRequestLogOf(base, serving, undo)
  const handlers = handlersOf(base, parts, publicOrigin, requestLog)
  const costs = vendorCosts({ ...vendors, db: requests.root })
  const { operators = [], signUp, allowPrivateDestinations: allowPrivate } = config
  const shared = {
    ...serving,
    vault,
    ids,
    signIn,
    sandbox,
    requestLog,
    namesErased: serving.blockList.namesErased,
    publicOrigin,
    signUp,
    allowPrivate,
    platform: parts.outreach.platform,
    outreach: parts.outreachServing,
    sampleRows: () => readFile(sampleTeamFile, 'utf8'),
    shards: base.shards,
    isOperator: (email: string) => isOperator(operators, email),
  }
  // A missing handler does not compile.
  const sessionHandlers: SessionHandlers = {
    ...peopleOperations(shared),
    ...connectionOperations(shared),
    ...settingsOperations({ ...shared, readCredits }),
    ...auditOperations,
    ...requestLogOperations(shared),
    ...viewOperations,
    ...sortedLeadOperations,
    ...leadDetailOperations,
    ...sourceHealthOperations(networkTrouble(vendors.breaker, vendors.accounts)),
    ...sourceNameOperations,
    ...creditDashboardOperations,
    ...yieldOperations,
    ...comparisonOperations({ owners }),
    ...tryOutOperations(shared),
    ...deliveryLogOperations,
    ...outreachResultOperations,
    ...quoteOperations,
    ...troubleshootOperations(sampling),
    ...sendOperations({ ...shared, agents: agentsForSends }),
    ...teamDefaultOperations(shared),
    ...operatorPageOperations({ operators, costs, system, shards: base.shards }),
  }
  const http: HttpServer = openHttp({
    handlers,
    receiveOutreachPost: receivePosts({ ...serving, shards: base.shards, faultPoint: base.faults.faultPoint }),
    requestLog,
    namesErased: serving.blockList.namesErased,
    countBlocked: serving.blockList.countBlocked,
    dashboard: {
      signIn,
      publicOrigin,
      tools: signIn.tools,
      pagesFolder,
      downloadsFolder,
      contractHandlers: { ...handlers, ...trackingWithDefaults(handlers) },
      handlers: sessionHandlers,
      exportTeam: teamExporter(base),
    },
    exports: async (path) => {
      const now = await clock.now(requests.root)
      return openExport({ vault, db: requests.root, shards: base.shards, now }, path)
    },
    db: requests.root,
    pool: requests.pool,
    shards: base.shards,
    healthPool: base.health.pool,
    unitOfWork: serving.unitOfWork,
    clock,
    system,
    vault,
    ids,
    log,
    faultPoint: base.faults.faultPoint,
    onUndeclared: overrides.onUndeclared,
    metrics,
    tracing,
    sandbox,
    securityContact: config.securityContact,
    operatorPort: config.operatorPort,
    publicUrl: config.publicUrl,
    roles: config.roles,
    serveApi: base.has('http'),
    operator: { ...operatorParts(base, parts, signIn, costs, requestLog), ...hooks },
  })
  return { http, signIn }
}
