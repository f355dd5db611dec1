import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'
import { pageFields } from './common.ts'

/** Fields of every post; null when not recorded (specification «Post row», SRC-07). */
export const postRow = {
  text: textOrNull,
  author: z.object({ name: textOrNull, url: textOrNull, headline: textOrNull }).nullable(),
  commentsCount: integer.nullable(),
  totalReactionCount: integer.nullable().describe('Total reactions of all types.'),
  contentType: z.enum(['VIDEO', 'IMAGE', 'JOB', 'LIVE_VIDEO', 'DOCUMENT', 'COLLABORATIVE_ARTICLE']).nullable(),
  postedAt: isoDateTime.nullable(),
}

/** A post read live (G81, G85); every field is always present. */
export const networkPost = named('NetworkPost', { urn: z.string(), url: z.string(), ...postRow })

export const sourcePost = named('SourcePost', {
  postUrn: z.string(),
  url: textOrNull,
  ...postRow,
  detectedAt: isoDateTime.describe('When the posts-only source stored the post.'),
})

/** G79. */
export const sourcePostPage = named('SourcePostPage', {
  sourceId: uuid,
  posts: z.array(sourcePost),
  ...pageFields,
})
