import { z } from 'zod'
import { bounds } from './bounds.ts'
import { readPostReference, readPostUrn, type PostReference } from './post-reference.ts'

const forms =
  'send the address of its feed update (https://www.linkedin.com/feed/update/urn:li:activity:…), ' +
  'its share-menu link (https://www.linkedin.com/posts/…-activity-…), ' +
  'or its bare urn:li:activity:… or urn:li:ugcPost:…'

/** Refusals by what the text names; each follows the field's name. */
const postRefusals: Readonly<Record<Exclude<PostReference['kind'], 'post'>, string>> = {
  share: `must not name a share: ${forms}`,
  short:
    'must not be a shortened link, which does not say what it leads to: ' +
    'open it and send the address it leads to (https://www.linkedin.com/posts/…)',
  article: `must not be an article or a newsletter: send the post that shares it`,
  group: `must not be a post in a group, whose engagement only its members can see`,
  other: `must name a post: ${forms}`,
}

/** A post to track: the text as sent, and its URN (specification «Tracked posts»). */
export const postAddress = z
  .string({ error: `must be text: ${forms}` })
  .transform((text, context) => {
    const reference = readPostReference(text)
    if (text.trim() === '') context.addIssue({ code: 'custom', message: `must not be empty: ${forms}` })
    else if (text.length > bounds.postUrl)
      context.addIssue({ code: 'custom', message: `must be at most ${bounds.postUrl} characters` })
    else if (reference.kind !== 'post') context.addIssue({ code: 'custom', message: postRefusals[reference.kind] })
    return { submitted: text, urn: reference.kind === 'post' ? reference.urn : '' }
  })
  .meta({
    description:
      'Feed-update URL, share-menu permalink, or a bare activity or ugcPost URN; share URNs are always refused.',
    openapi: { type: 'string', minLength: 1, maxLength: bounds.postUrl },
  })

export const postUrnInPath = z
  .string()
  .transform((text, context) => {
    const reference = readPostUrn(text)
    if (reference.kind !== 'post')
      context.addIssue({ code: 'custom', message: 'must be the URN of a post: urn:li:activity:… or urn:li:ugcPost:…' })
    return reference.kind === 'post' ? reference.urn : ''
  })
  .meta({
    description: '`urn:li:activity:…` or `urn:li:ugcPost:…`, percent-encoded or not.',
    openapi: { type: 'string', pattern: '^urn:li:(activity|ugcPost):[0-9]+$' },
  })
