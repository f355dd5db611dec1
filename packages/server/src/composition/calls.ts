/**
 * Every way out of the service: vendors of data, the AI judge, the outreach platform, webhook receivers; what calls
 * cost and what is held.
 */
import { guarded, type Undo } from './infrastructure.ts'
import { observeCalls, openJudge, openNetwork, openOutreach, tracedEgress } from './vendors.ts'
import type { Base } from './base.ts'
import type { Overrides } from './service.ts'
import { openGuardedEgress, openPooledEgress } from '../platform/egress/index.ts'
import { createPgBreaker } from '../providers/breaker/breaker.ts'
import { currentLogContext } from '../platform/log-context.ts'
import { cappedJudge, dailyCap } from '../providers/costs/cap.ts'
import { openMeter } from '../providers/costs/meter.ts'
import { allVendorsHeld } from '../providers/accounts.ts'
import { keepingJudge, keepingNetwork, openKeptAnswers } from '../worker/kept-answers.ts'

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
