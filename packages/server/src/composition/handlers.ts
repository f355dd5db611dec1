/** The handlers of the interface, each from the module that owns what it is about. */
import { accountHandlers, type Handlers } from '../modules/accounts/index.ts'
import { agentOperations } from '../modules/agent/index.ts'
import { creditOperations } from '../modules/credits/index.ts'
import { deliveryOperations, endDeliveries, pushOperations } from '../modules/delivery/index.ts'
import { discoverOperations } from '../modules/discover/index.ts'
import { enrichmentOperations } from '../modules/enrichment/index.ts'
import { icpOperations, leadVerdicts } from '../modules/fit/index.ts'
import { jobOperations } from '../modules/jobs/index.ts'
import { listingOperations, searchOperations } from '../modules/keywords/index.ts'
import { leadOperations } from '../modules/leads/index.ts'
import { outreachOperations } from '../modules/outreach/index.ts'
import { postReadOperations } from '../modules/capture/index.ts'
import {
  describeSources,
  editOperations,
  findServedSource,
  lockServedSource,
  postOperations,
  sourceOperations,
} from '../modules/sources/index.ts'
import type { Base } from './base.ts'
import type { Parts } from './parts.ts'

/** Makes all of them; one that is missing does not compile. */
export function handlersOf({ config, ids, vault, faults }: Base, { serving, outreachServing }: Parts): Handlers {
  const { network } = serving
  const { faultPoint } = faults
  const allowPrivate = config.allowPrivateDestinations
  return {
    ...accountHandlers({ ids }),
    ...creditOperations(describeSources),
    ...deliveryOperations({ vault, allowPrivate }),
    ...pushOperations({ faultPoint }),
    ...icpOperations({ ...serving, owners: { find: findServedSource, lock: lockServedSource } }),
    ...discoverOperations,
    ...enrichmentOperations({ network, faultPoint }),
    ...jobOperations,
    ...leadOperations(leadVerdicts),
    ...outreachOperations(outreachServing),
    ...agentOperations({ ...serving, enabled: config.agentEnabled, allowPrivate, outreach: outreachServing }),
    ...postReadOperations({ ...serving, vault }),
    ...sourceOperations({ endDeliveries }),
    ...listingOperations,
    ...searchOperations({ cutoverAt: config.keywordCutoverAt }),
    ...editOperations({ faultPoint }),
    ...postOperations({ network, faultPoint, endDeliveries }),
  }
}
