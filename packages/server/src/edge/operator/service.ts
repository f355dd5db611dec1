/** Clock, drain, faults and source reports on the operator surface (G118, G119). */
import type { FaultPoint } from '../../platform/faults.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { listSourceReports } from '../../modules/sources/index.ts'
import { clockMove, fault } from './fields.ts'
import { answer, readFields, type OperatorParts, type OperatorRoute } from './route.ts'

function clockRoutes(parts: OperatorParts): readonly OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/clock',
      serve: async () => answer(200, { now: await parts.clock.now(parts.db), mode: parts.clock.mode }),
    },
    {
      method: 'POST',
      path: '/clock',
      serve: async ({ body }) => {
        if (parts.clock.mode !== 'manual')
          return refuse('not_found', {}, 'The clock follows the system: start with LES_CLOCK=manual to move it')
        const move = readFields(clockMove, await body())
        const now = await parts.clock.moveTo(
          parts.db,
          (at) => move.to ?? new Date(at.getTime() + Math.round(move.advanceSeconds! * 1000)),
        )
        if (!now) throw new Refusal('invalid_request', {}, '`to` must not be earlier than the present service time')
        await parts.onClockMoved()
        return answer(200, { now })
      },
    },
  ]
}

function faultRoutes({ points, arm }: NonNullable<OperatorParts['faults']>): readonly OperatorRoute[] {
  const known = (name: string): name is FaultPoint => Object.hasOwn(points, name)
  return [
    { method: 'GET', path: '/faults', serve: async () => answer(200, { faults: Object.keys(points) }) },
    {
      method: 'PUT',
      path: '/faults/{name}',
      serve: async ({ params, body }) => {
        const name = params.name!
        if (!known(name)) return refuse('not_found', {}, 'No such fault: GET /operator/faults lists them')
        const { times, action } = readFields(fault, await body())
        await arm(name, times, action)
        return answer(200, { name, times, action })
      },
    },
  ]
}

/** The routes about the running service. */
export function serviceRoutes(parts: OperatorParts): readonly OperatorRoute[] {
  return [
    ...clockRoutes(parts),
    // Sources that turned out to be the same person or page.
    {
      method: 'GET',
      path: '/source-reports',
      serve: async () => {
        const found = await parts.shards.each(() => listSourceReports(parts.db))
        return answer(200, {
          reports: found.flatMap(({ reports }) => reports),
          total: found.reduce((sum, { total }) => sum + total, 0),
        })
      },
    },
    { method: 'POST', path: '/drain', serve: async () => answer(200, await parts.drain()) },
    ...(parts.faults ? faultRoutes(parts.faults) : []),
  ]
}
