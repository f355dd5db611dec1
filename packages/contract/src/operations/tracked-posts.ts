/** Tag `posts`: tracking single posts (specification «Tracked posts»). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { echoedSettings, sentSettings, settingsOf } from '../resources/index.ts'
import { postAddress, uuid } from '../values/index.ts'
import { byPost } from './families.ts'
import { untrackOf } from './sources.ts'

const trackPost = operation('trackPost', 'POST /post/track', {
  charges: true,
  tag: 'posts',
  summary: 'Track one post',
  description:
    'Verifies the post with the network first, then creates the source, revives it, or changes its settings, ' +
    'and queues a capture sync where one is owed. Sync, webhook and the rest are reached by its source id, ' +
    'under /sources/{id}.',
  renamed: { creditCap: 'creditCapPerSync' },
  body: z.object({
    postUrl: postAddress,
    ...sentSettings('post'),
  }),
  status: 201,
  success: z.object({
    postUrn: z.string().describe("The post's activity URN; may differ from the URN submitted."),
    postUrl: z.string().describe('As submitted.'),
    syncId: uuid
      .nullable()
      .describe(
        'The queued sync; null when the plan does not allow capture, the post has synced, or no credits are left.',
      ),
    syncNotQueuedReason: z
      .string()
      .optional()
      .describe('Why no sync was queued. Without credits the source is left due: it syncs as soon as there are some.'),
    ...echoedSettings(settingsOf('post')),
  }),
  errors: ['renamed_field', 'identifier_in_use', 'source_limit_reached', 'post_resolve_failed'],
  example: { postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001' },
})

/** The operations that track posts. */
export const trackedPostOperations = [trackPost, untrackOf('untrackPost', byPost)] as const
