import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'

/** What every post row carries; each null where nothing recorded it (specification «Post row», SRC-07). */
export const postRow = {
  text: z.string().nullable(),
  author: z
    .object({ name: z.string().nullable(), url: z.string().nullable(), headline: z.string().nullable() })
    .nullable(),
  commentsCount: z.number().int().nullable(),
  totalReactionCount: z.number().int().nullable().meta({ description: 'Reactions of all types.' }),
  contentType: z.enum(['VIDEO', 'IMAGE', 'JOB', 'LIVE_VIDEO', 'DOCUMENT', 'COLLABORATIVE_ARTICLE']).nullable(),
  postedAt: isoDateTime.nullable(),
}

/** A post as it is read live from the network (G81, G85): every field is always present. */
export const networkPost = z.object({ urn: z.string(), url: z.string(), ...postRow }).meta({ id: 'NetworkPost' })

/** A post that a posts-only watch has seen. */
export const sourcePost = z
  .object({
    postUrn: z.string(),
    url: z.string().nullable(),
    ...postRow,
    detectedAt: isoDateTime.meta({ description: 'When the watch stored it.' }),
  })
  .meta({ id: 'SourcePost' })

/** A page of them (G79). */
export const sourcePostPage = z
  .object({
    sourceId: uuid,
    posts: z.array(sourcePost),
    total: z.number().int(),
    limit: z.number().int(),
    offset: z.number().int(),
    hasMore: z.boolean(),
  })
  .meta({ id: 'SourcePostPage' })
