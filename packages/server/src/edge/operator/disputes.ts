/** Disputes of all teams on the operator surface. */
import { isUuid } from '@les/contract'
import { decideDispute, listDisputes, type DisputeForOperator } from '../../modules/credits/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { disputeDecision } from './fields.ts'
import { answer, readFields, type OperatorParts, type OperatorRoute } from './route.ts'

/** Open disputes that are answered at most. */
const maxListed = 1_000

const present = (dispute: DisputeForOperator) => ({ ...dispute, createdAt: dispute.createdAt })

/** The routes about disputes. */
export function disputeRoutes(parts: OperatorParts): readonly OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/disputes',
      serve: async () => answer(200, { disputes: (await listDisputes(parts.db, maxListed)).map(present) }),
    },
    {
      method: 'POST',
      path: '/disputes/{id}',
      serve: async ({ params, body }) => {
        const decision = readFields(disputeDecision, await body())
        const id = params.id!.toLowerCase()
        if (!isUuid(id)) return refuse('not_found', {}, 'No such dispute')
        return answer(200, present(await parts.unitOfWork((tx) => decideDispute(tx, id, decision))))
      },
    },
  ]
}
