import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'

/** A background job (specification «Job», G19). */
export const job = z
  .object({
    jobId: uuid,
    type: z.enum([
      'enrich_profile',
      'enrich_company',
      'profile_posts',
      'company_posts',
      'post_reactions',
      'post_comments',
      'post_company_comments',
      'sync',
    ]),
    status: z.enum(['pending', 'running', 'completed', 'failed']),
    result: z.record(z.string(), z.unknown()).optional().meta({ description: 'Present on completion only.' }),
    error: z
      .looseObject({ status: z.number().int(), error: z.string(), code: z.string().optional() })
      .optional()
      .meta({ description: 'Present on failure only.' }),
    createdAt: isoDateTime,
    finishedAt: isoDateTime.nullable(),
  })
  .meta({ id: 'Job' })
