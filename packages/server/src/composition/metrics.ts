/** Every number of the service. */
import { requestMetrics } from '../edge/calls.ts'
import { counters } from '../counters.ts'
import { openMetrics } from '../platform/metrics.ts'
import { vendorMetrics } from '../providers/metrics.ts'
import { workMetrics } from '../worker/metrics.ts'

/** Opens all numbers of one service; `nowMs` is the system time by which samples grow old. */
export function openServiceMetrics(nowMs?: () => number) {
  const metrics = openMetrics(counters, nowMs)
  return { ...metrics, ...requestMetrics(metrics), ...workMetrics(metrics), ...vendorMetrics(metrics) }
}

/** The numbers of one service. */
export type ServiceMetrics = ReturnType<typeof openServiceMetrics>
