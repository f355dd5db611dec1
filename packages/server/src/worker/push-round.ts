/** Compares what is kept of pushes with what their leads come to: a figure that only the database knows. */
import { listPushes, pushDrift } from '../modules/delivery/index.ts'
import { makeDriftRound } from './drift-round.ts'
import type { MetricTaskParts } from './metric-tasks.ts'

/** Goes round all pushes, some at a time; remembers those that differ until they do not. */
export const makePushRound = ({ metrics, ...parts }: MetricTaskParts): (() => Promise<void>) =>
  makeDriftRound(parts, {
    list: listPushes,
    nameOf: ({ teamId, pushId }) => `${teamId}/${pushId}`,
    compare: async (instant, key) => {
      const off = await pushDrift(instant, key)
      return Object.keys(off).length === 0 ? null : { off }
    },
    statementMs: 10_000,
    says: 'a push is not what its leads come to',
    tell: metrics.pushes,
  })
