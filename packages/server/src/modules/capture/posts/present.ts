/** Posts as resources (G79, G81, G85). */
import type { networkPost, sourcePost } from '@les/contract'
import type { z } from 'zod'
import type { Post } from '../../../providers/ports.ts'
import { presentPostFacts } from '../../network/index.ts'
import type { SourcePostRow } from './store.ts'

/** A post as a read shows it: every field is there, null where the vendor served nothing (UPR-10). */
export function presentNetworkPost(post: Post): z.input<typeof networkPost> {
  return {
    urn: post.urn,
    url: post.url,
    text: post.text,
    author: { name: post.author.name, url: post.author.url, headline: post.author.headline },
    commentsCount: post.commentsCount,
    totalReactionCount: post.totalReactionCount,
    contentType: post.contentType,
    postedAt: post.postedAt === null ? null : new Date(post.postedAt).toISOString(),
  }
}

/** A post that a watch has seen. */
export function presentSourcePost(row: SourcePostRow): z.input<typeof sourcePost> {
  return { ...presentPostFacts(row), detectedAt: row.created_at.toISOString() }
}
