/** What is reached over HTTP: the interface, the dashboard with its sign-in, and the operator surface. */
import { readFile } from 'node:fs/promises'
import { faultPoints } from './fault-points.ts'
import { openHttp, type HttpParts, type HttpServer } from '../edge/http/server.ts'
import { atMost } from '../platform/clock.ts'
import { openDatabase, poolTimeouts } from '../platform/db/open.ts'
import { openReplica, type Replica } from '../platform/db/replica.ts'
import { withSeparateLogContext } from '../platform/log-context.ts'
import { openRequestLog } from '../modules/accounts/index.ts'
import { sendSample } from '../modules/delivery/index.ts'
import { inviteForOperator, openSignIn, originOf, strictLimits, type SignIn } from '../sign-in/index.ts'
import type { Base } from './base.ts'
import { sessionHandlersOf } from './dashboard-handlers.ts'
import { handlersOf } from './handlers.ts'
import { trackingWithDefaults } from '../modules/dashboard/index.ts'
import type { Undo } from './infrastructure.ts'
import type { Parts } from './parts.ts'
import { downloadsFolder, pagesFolder, sampleTeamFile } from './places.ts'
import type { Overrides } from './service.ts'
import { networkTrouble } from '../providers/accounts.ts'
import { vendorCosts, type VendorOperationParts } from './vendor-operations.ts'

type OperatorParts = HttpParts['operator']

/** What background work gives to the operator surface. */
export type OperatorHooks = Pick<OperatorParts, 'drain' | 'onClockMoved'>

/** For mails that are on their way when everything else has ended, in milliseconds. */
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
    ...(config.redirectSchemes ? { desktopSchemes: config.redirectSchemes } : {}),
  })
}

function operatorParts(
  base: Base,
  { serving, sampling }: Parts,
  signIn: SignIn,
  vendors: VendorOperationParts,
): Omit<OperatorParts, keyof OperatorHooks> {
  const { requests, clock, vault, ids, log, system, config, faults } = base
  return {
    token: base.operatorToken,
    nowMs: () => system.nowMs(),
    db: requests.root,
    unitOfWork: serving.unitOfWork,
    clock,
    vault,
    ids,
    log,
    invite: inviteForOperator({ ids, signIn }),
    costs: vendorCosts({ ...vendors, db: requests.root }),
    sendSample: (teamId, sourceId) => sendSample(sampling, teamId, sourceId),
    faults: config.faults ? { points: faultPoints, arm: faults.arm } : undefined,
  }
}

/** What teams have asked, written down every second and once more at the end. */
function openRequestLogOf({ requests, ids, system, log }: Base, undo: Undo[]) {
  const requestLog = openRequestLog({ db: requests.root, ids, system, log })
  const writing = system.every(1_000, () => void requestLog.flush())
  undo.push(async () => {
    writing()
    await requestLog.flush()
  })
  return requestLog
}

/** The replica that answers reads, where one is named and this process answers any. */
function openReplicaOf({ config, requests, system, log, metrics, has }: Base, undo: Undo[]): Replica | undefined {
  if (!config.databaseReplicaUrl || !has('http')) return undefined
  const pool = openDatabase(
    { connectionString: config.databaseReplicaUrl },
    {
      poolSize: 14,
      poolTimeouts: poolTimeouts.requests,
      onError: (error) => withSeparateLogContext({}, () => log.warn('a connection to the replica was lost', { error })),
    },
  )
  undo.push(() => pool.close())
  return openReplica({ primary: requests, replica: pool, system, log, count: metrics.count })
}

/** Opens it, not listening yet; `undo` gets what must be closed. */
export function openServer(
  base: Base,
  parts: Parts,
  more: {
    readonly overrides: Overrides
    readonly vendors: VendorOperationParts
    readonly hooks: OperatorHooks
    readonly undo: Undo[]
  },
): { readonly http: HttpServer; readonly signIn: SignIn } {
  const { config, requests, clock, system, vault, ids, log, metrics, tracing } = base
  const { serving, sampling } = parts
  const sandbox = base.sandbox !== undefined
  const publicOrigin = (): string => originOf(config.publicUrl, http.address())
  const signIn = openSignInOf(base, more.overrides, more.vendors, publicOrigin)
  // Mails on their way; a mail server that is silent keeps nobody from ending.
  more.undo.push(() => atMost(system, lastMailsMs, signIn.settled()))
  const requestLog = openRequestLogOf(base, more.undo)
  const handlers = handlersOf(base, parts)
  const http: HttpServer = openHttp({
    handlers,
    requestLog,
    dashboard: {
      signIn,
      publicOrigin,
      tools: signIn.tools,
      pagesFolder,
      downloadsFolder,
      contractHandlers: { ...handlers, ...trackingWithDefaults(handlers) },
      handlers: sessionHandlersOf({
        ...serving,
        vault,
        ids,
        platform: parts.outreach.platform,
        outreach: parts.outreachServing,
        delivering: sampling,
        signIn,
        sandbox,
        requestLog,
        publicOrigin,
        signUp: config.signUp,
        sampleRows: () => readFile(sampleTeamFile, 'utf8'),
        allowPrivate: config.allowPrivateDestinations,
        operatorPages: {
          operators: config.operators ?? [],
          costs: vendorCosts({ ...more.vendors, db: requests.root }),
          system,
        },
        networkTrouble: networkTrouble(more.vendors.breaker, more.vendors.accounts),
      }),
    },
    db: requests.root,
    replica: openReplicaOf(base, more.undo),
    pool: requests.pool,
    healthPool: base.health.pool,
    unitOfWork: serving.unitOfWork,
    clock,
    system,
    vault,
    ids,
    log,
    faultPoint: base.faults.faultPoint,
    onUndeclared: more.overrides.onUndeclared,
    metrics,
    tracing,
    sandbox,
    securityContact: config.securityContact,
    operatorPort: config.operatorPort,
    publicUrl: config.publicUrl,
    roles: config.roles,
    serveApi: base.has('http'),
    operator: { ...operatorParts(base, parts, signIn, more.vendors), ...more.hooks },
  })
  return { http, signIn }
}
