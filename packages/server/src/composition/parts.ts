/** What modules are given: the parts that steps and handlers share. */
import { agentScores } from '../modules/agent/index.ts'
import { companyResolver } from '../modules/enrichment/index.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'

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
  const shared = { ...working, companies: companyResolver(working) }
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
