import { requestMetrics } from '../edge/calls.ts'
import { counters } from '../counters.ts'
import { openMetrics } from '../platform/metrics.ts'
import { vendorMetrics } from '../providers/metrics.ts'
import { workMetrics } from '../worker/metrics.ts'

/** Opens all metrics of one service; samples age by `nowMs`. */
export function openServiceMetrics(nowMs?: () => number) {
  const metrics = openMetrics(counters, nowMs)
  return { ...metrics, ...requestMetrics(metrics), ...workMetrics(metrics), ...vendorMetrics(metrics) }
}

export type ServiceMetrics = ReturnType<typeof openServiceMetrics>
