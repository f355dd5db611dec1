import { expect, it } from 'vitest'
import type { Post } from '../../../providers/ports.ts'
import { presentNetworkPost, presentSourcePost } from './present.ts'

it('a post of a read shows every field, null where the vendor served nothing [UPR-10]', () => {
  const post: Post = {
    urn: 'urn:li:activity:1',
    url: 'https://p',
    text: 'Hi',
    author: { kind: 'person', urn: 'ACoAAx', name: 'Ann', url: 'https://l/in/ann', headline: 'CTO' },
    postedAt: '2026-01-01T00:00:00+02:00',
    contentType: 'image',
    totalReactionCount: 3,
    commentsCount: 1,
    aliases: [],
  } as never
  const shown = {
    urn: 'urn:li:activity:1',
    url: 'https://p',
    text: 'Hi',
    author: { name: 'Ann', url: 'https://l/in/ann', headline: 'CTO' },
    commentsCount: 1,
    totalReactionCount: 3,
    contentType: 'image',
    postedAt: '2025-12-31T22:00:00.000Z',
  }
  expect(presentNetworkPost(post)).toEqual(shown)
  expect(presentNetworkPost({ ...post, postedAt: null })).toEqual({ ...shown, postedAt: null })
})

it('a post that a watch has seen shows what is known of it, and since when', () => {
  const unknown = { url: null, text: null, author_name: null, author_url: null, author_headline: null }
  const row = { ...unknown, post_urn: 'urn:li:activity:1', comments_count: null, total_reaction_count: null }
  expect(
    presentSourcePost({ ...row, content_type: null, posted_at: null, created_at: new Date('2026-11-02') } as never),
  ).toEqual({
    postUrn: 'urn:li:activity:1',
    url: null,
    text: null,
    author: null,
    commentsCount: null,
    totalReactionCount: null,
    contentType: null,
    postedAt: null,
    detectedAt: '2026-11-02T00:00:00.000Z',
  })
})
