/** Rules over rows of the service: what has ended, deleted in batches until none is left. */
import { purgeFlights, purgeIdempotency, keptDays, type KeepDays, type KeepRule } from '../../modules/accounts/index.ts'
import { purgeDeliveryLog } from '../../modules/delivery/index.ts'
import { purgeCompanyLookups } from '../../modules/enrichment/index.ts'
import { mergeListChanges } from '../../modules/leads/index.ts'
import { purgePages } from '../../modules/posts/index.ts'
import { purgeRequests } from '../../modules/request-log/index.ts'
import { purgeSends } from '../../modules/sends/index.ts'
import type { SystemClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { keptSince } from '../../platform/retention.ts'
import type { RoundDeps } from '../../platform/work/index.ts'
import { purgeKeptAnswers } from '../kept-answers.ts'

/** What rules work with. */
export type ServiceRuleParts = Pick<RoundDeps, 'unitOfWork'> & {
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  readonly keepDays?: KeepDays | undefined
}

/** How often a rule is worked on in system time, and a batch of it: at most about `limit` rows, the oldest first; answers how many. */
export type ServiceRule = {
  readonly everyMs: number
  readonly purge: (tx: Tx, limit: number, parts: ServiceRuleParts) => Promise<number>
}

const minute = 60_000
const batch = 5_000
/** Batches in one round; the next round is a few minutes away. */
const batchesARound = 20

/** The instant before which a rule of the service keeps nothing. */
export const keptFrom = (tx: Tx, rule: KeepRule, { keepDays = {} }: Pick<ServiceRuleParts, 'keepDays'>): Date =>
  keptSince(tx.now, keptDays(rule, keepDays))

/** The rules whose rows modules and the worker own. */
export const serviceRules: Readonly<Record<string, ServiceRule>> = {
  'delivery-attempts': {
    everyMs: 10 * minute,
    purge: (tx, limit, parts) => purgeDeliveryLog(tx, keptFrom(tx, 'delivery-attempts', parts), limit),
  },
  'list-changes': { everyMs: 10 * minute, purge: mergeListChanges },
  calls: { everyMs: 60 * minute, purge: purgeRequests },
  'planned-sends': {
    everyMs: 60 * minute,
    purge: (tx, limit, parts) => purgeSends(tx, keptFrom(tx, 'planned-sends', parts), limit),
  },
  'safe-retries': { everyMs: 10 * minute, purge: (tx, limit) => purgeIdempotency(tx.db, tx.now, limit) },
  'requests-under-way': {
    everyMs: 60 * minute,
    purge: (tx, limit, { system }) => purgeFlights(tx, system.nowMs(), limit),
  },
  'company-lookups': {
    everyMs: 60 * minute,
    purge: (tx, limit, { system }) => purgeCompanyLookups(tx, system.nowMs(), limit),
  },
  'vendor-pages': { everyMs: 10 * minute, purge: purgePages },
  'kept-answers': { everyMs: 10 * minute, purge: purgeKeptAnswers },
}

/** Works on a rule until nothing is left, a unit of work a batch; answers how many rows went. */
export async function purgeUntilDone(parts: ServiceRuleParts, name: string, rule: ServiceRule): Promise<number> {
  let removed = 0
  for (let done = 0; done < batchesARound; done += 1) {
    const gone = await parts.unitOfWork(async (tx) => {
      const count = await rule.purge(tx, batch, parts)
      if (count > 0) {
        tx.count('rows_purged', name, count)
        await parts.faultPoint('retention.purged')
      }
      return count
    })
    removed += gone
    if (gone === 0) break
  }
  return removed
}
