/** Routes about the running service and about all teams: clock, drain, faults, reports, disputes, erasures (G118, G119). */
import { isUuid, profileUrl } from '@les/contract'
import { z } from 'zod'
import { decideDispute, findTeamOfDispute, listDisputes } from '../../modules/credits/index.ts'
import { listSourceReports } from '../../modules/sources/index.ts'
import type { FaultPoint } from '../../platform/faults.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { clockMove, disputeDecision, fault } from './fields.ts'
import { answer, readFields, type OperatorParts, type OperatorRoutes } from './route.ts'

const clockRoutes = (parts: OperatorParts): OperatorRoutes => ({
  'GET /clock': async () => answer(200, { now: await parts.clock.now(parts.db), mode: parts.clock.mode }),
  'POST /clock': async ({ body }) => {
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
})

const faultRoutes = ({ points, arm }: NonNullable<OperatorParts['faults']>): OperatorRoutes => ({
  'GET /faults': async () => answer(200, { faults: Object.keys(points) }),
  'PUT /faults/{name}': async ({ params, body }) => {
    const known = (named: string): named is FaultPoint => Object.hasOwn(points, named)
    const name = params.name!
    if (!known(name)) return refuse('not_found', {}, 'No such fault: GET /operator/faults lists them')
    const { times, action } = readFields(fault, await body())
    await arm(name, times, action)
    return answer(200, { name, times, action })
  },
})

const maxDisputes = 1_000

const disputeRoutes = (parts: OperatorParts): OperatorRoutes => ({
  'GET /disputes': async () => {
    const ofShards = await parts.shards.each(() => listDisputes(parts.db, maxDisputes))
    const disputes = ofShards.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    return answer(200, { disputes: disputes.slice(0, maxDisputes) })
  },
  'POST /disputes/{id}': async ({ params, body }) => {
    const decision = readFields(disputeDecision, await body())
    const id = params.id!.toLowerCase()
    const teamId = isUuid(id) ? await parts.shards.find(() => findTeamOfDispute(parts.db, id)) : undefined
    if (teamId === undefined) return refuse('not_found', {}, 'No such dispute')
    const decide = () => parts.unitOfWork((tx) => decideDispute(tx, id, decision))
    return answer(200, await parts.shards.ofTeam(teamId, decide))
  },
})

/** Body of `POST /operator/privacy/erasures`. */
const erasureEverywhere = z.strictObject({
  profileUrl,
  reason: z
    .string({ error: 'must be text' })
    .max(500, { error: 'must be at most 500 characters' })
    .nullable()
    .default(null),
})

export const serviceRoutes = (parts: OperatorParts): OperatorRoutes => ({
  ...clockRoutes(parts),
  ...disputeRoutes(parts),
  'POST /privacy/erasures': async ({ body }) => {
    const { profileUrl: name, reason } = readFields(erasureEverywhere, await body())
    return answer(201, { erasures: await parts.privacy.erase({ name, reason }) })
  },
  'GET /privacy/erasures': async () => answer(200, { erasures: await parts.privacy.list() }),
  // Sources that turned out to be the same person or page.
  'GET /source-reports': async () => {
    const found = await parts.shards.each(() => listSourceReports(parts.db))
    const total = found.reduce((sum, each) => sum + each.total, 0)
    return answer(200, { reports: found.flatMap(({ reports }) => reports), total })
  },
  'POST /drain': async () => answer(200, await parts.drain()),
  ...(parts.faults ? faultRoutes(parts.faults) : {}),
})
