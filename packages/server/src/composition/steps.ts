/** The step of every kind of work, watched, held back while no vendor answers, its unexpected failures recorded. */
import { heldBack } from '../worker/held-back.ts'
import type { Steps } from '../worker/lanes.ts'
import { observeSteps } from '../worker/observe.ts'
import { recordUnexpected } from '../worker/unexpected.ts'
import { unexpectedRecords, works } from '../worker/works.ts'
import type { Base } from './base.ts'
import type { Calls } from './calls.ts'
import type { Parts } from './parts.ts'

/** Makes them; a kind of work without a step does not compile. */
export function openSteps(base: Base, calls: Calls, { shared, outreach }: Parts): Steps {
  const { config, log, metrics, tracing, system, random, owner, vault, unitOfWork } = base
  const steps: Steps = {
    capture: works.capture.step(shared),
    keyword: works.keyword.step({ ...shared, vault }),
    enrichment: works.enrichment.step(shared),
    enrich_job: works.enrich_job.step(shared),
    posts_job: works.posts_job.step({ ...shared, vault }),
    delivery: works.delivery.step({
      ...shared,
      egress: calls.webhookEgress,
      vault,
      random,
      allowPrivate: config.allowPrivateDestinations,
      log,
      newOwnerId: owner,
    }),
    push: works.push.step(shared),
    outreach: works.outreach.step(outreach),
    rescore: works.rescore.step(shared),
    discover: works.discover.step(shared),
    agent: works.agent.step(shared),
    ranking: works.ranking.step(shared),
    send: works.send.step(outreach),
  }
  const recorded = recordUnexpected({ unitOfWork, records: unexpectedRecords, kept: calls.kept, metrics, log }, steps)
  return observeSteps({ metrics, tracing, system }, heldBack(recorded, calls.allHeld))
}
