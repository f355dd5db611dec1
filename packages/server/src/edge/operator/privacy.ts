import { profileUrl } from '@les/contract'
import { z } from 'zod'
import { answer, readFields, type OperatorParts, type OperatorRoute } from './route.ts'

/** Body of `POST /operator/privacy/erasures`. */
const erasureEverywhere = z.strictObject({
  profileUrl,
  reason: z
    .string({ error: 'must be text' })
    .max(500, { error: 'must be at most 500 characters' })
    .nullable()
    .optional(),
})

/** The operator's routes about erasures, over all teams. */
export function privacyRoutes({ privacy }: OperatorParts): readonly OperatorRoute[] {
  return [
    {
      method: 'POST',
      path: '/privacy/erasures',
      serve: async ({ body }) => {
        const { profileUrl: name, reason } = readFields(erasureEverywhere, await body())
        return answer(201, { erasures: await privacy.erase({ name, reason: reason ?? null }) })
      },
    },
    {
      method: 'GET',
      path: '/privacy/erasures',
      serve: async () => answer(200, { erasures: await privacy.list() }),
    },
  ]
}
