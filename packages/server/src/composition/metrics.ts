/** Every number of the service, declared by the folder that counts it. A counter that is left out here does not compile. */
import { edgeCounters, requestMetrics } from '../edge/calls.ts'
import { creditsCounters } from '../modules/credits/index.ts'
import { deliveryCounters } from '../modules/delivery/index.ts'
import { openMetrics, type Counters } from '../platform/metrics.ts'
import { workCounters } from '../platform/work/index.ts'
import { vendorMetrics } from '../providers/metrics.ts'
import { workMetrics } from '../worker/metrics.ts'
import { retentionCounters } from '../worker/retention/rules.ts'

const counters: Counters = {
  ...creditsCounters,
  ...deliveryCounters,
  ...edgeCounters,
  ...retentionCounters,
  ...workCounters,
}

/** Opens all numbers of one service; `nowMs` is the system time by which samples grow old. */
export function openServiceMetrics(nowMs?: () => number) {
  const metrics = openMetrics(counters, nowMs)
  return { ...metrics, ...requestMetrics(metrics), ...workMetrics(metrics), ...vendorMetrics(metrics) }
}

/** The numbers of one service. */
export type ServiceMetrics = ReturnType<typeof openServiceMetrics>
