import { isUuid } from '@les/contract'
import { decideDispute, findTeamOfDispute, listDisputes } from '../../modules/credits/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { disputeDecision } from './fields.ts'
import { answer, readFields, type OperatorParts, type OperatorRoute } from './route.ts'

const maxListed = 1_000

/** The operator's routes about disputes, of all teams. */
export function disputeRoutes(parts: OperatorParts): readonly OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/disputes',
      serve: async () => {
        const ofShards = await parts.shards.each(() => listDisputes(parts.db, maxListed))
        const disputes = ofShards.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
        return answer(200, { disputes: disputes.slice(0, maxListed) })
      },
    },
    {
      method: 'POST',
      path: '/disputes/{id}',
      serve: async ({ params, body }) => {
        const decision = readFields(disputeDecision, await body())
        const id = params.id!.toLowerCase()
        if (!isUuid(id)) return refuse('not_found', {}, 'No such dispute')
        const teamId = await parts.shards.find(() => findTeamOfDispute(parts.db, id))
        if (teamId === undefined) return refuse('not_found', {}, 'No such dispute')
        const decide = () => parts.unitOfWork((tx) => decideDispute(tx, id, decision))
        return answer(200, await parts.shards.ofTeam(teamId, decide))
      },
    },
  ]
}
