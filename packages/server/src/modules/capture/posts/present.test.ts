import { describe, expect, it } from 'vitest'
import type { Comment, Post } from '../../../providers/ports.ts'
import { commentRows, presentNetworkPost, presentSourcePost, reactionRows, withReplies } from './present.ts'

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

const person = {
  kind: 'person',
  urn: 'ACoAann',
  name: 'Ann',
  headline: 'Growth',
  handle: 'ann',
  linkedinUrl: 'https://www.linkedin.com/in/ann',
  avatarUrl: null,
} as const
const comment = (id: string, parentId: string | null = null): Comment => ({
  id,
  actor: person,
  text: id,
  postedAt: null,
  parentId,
})
const keys = (rows: { key: string }[]) => rows.map((row) => row.key)

describe('commentRows', () => {
  it('puts each reply behind its comment, and replies to unknown comments last', () => {
    expect(
      keys(
        commentRows([
          comment('a'),
          comment('b'),
          comment('a1', 'a'),
          comment('x1', 'x'),
          comment('b1', 'b'),
          comment('a2', 'a'),
        ]),
      ),
    ).toEqual(['a', 'a1', 'a2', 'b', 'b1', 'x1'])
  })
})

describe('withReplies', () => {
  it('adds what a comment has not got yet, behind its last reply', () => {
    const rows = commentRows([comment('a'), comment('a1', 'a'), comment('b')])
    expect(keys(withReplies(rows, 'a', [comment('a1', 'a'), comment('a2', null)]))).toEqual(['a', 'a1', 'a2', 'b'])
    expect(withReplies(rows, 'a', [comment('a2', null)])[2]!.row).toMatchObject({ isReply: true, parentId: 'a' })
  })
})

describe('reactionRows', () => {
  it('shows people with their member id and pages without', () => {
    expect(reactionRows([{ actor: person, reaction: 'Praise' }])[0]!.row).toEqual({
      name: 'Ann',
      linkedinUrl: 'https://www.linkedin.com/in/ann',
      linkedinUrn: 'ACoAann',
      headline: 'Growth',
      reactionType: 'Praise',
    })
    expect(
      reactionRows([
        {
          actor: { kind: 'company', name: 'Acme', linkedinUrl: 'https://www.linkedin.com/company/acme' },
          reaction: 'Like',
        },
      ])[0]!.row,
    ).toEqual({
      name: 'Acme',
      linkedinUrl: 'https://www.linkedin.com/company/acme',
      linkedinUrn: null,
      headline: null,
      reactionType: 'Like',
    })
  })
})

describe('what a row is told from others by', () => {
  const page = (name: string | null, linkedinUrl: string | null) => ({ kind: 'company', name, linkedinUrl }) as const
  it('is the member id of a person, and the address or else the name of a page', () => {
    const actors = [person, page('Acme', 'https://x/acme'), page('Acme', null), page(null, null)]
    expect(keys(reactionRows(actors.map((actor) => ({ actor, reaction: 'Like' }))))).toEqual([
      'ACoAann',
      'company:https://x/acme',
      'company:Acme',
      'company:',
    ])
  })
  it('is the id of a comment; only a reply says whose', () => {
    expect(
      commentRows([comment('a'), comment('a1', 'a')]).map(({ row }) => [row.id, row.isReply, row.parentId]),
    ).toEqual([
      ['a', false, null],
      ['a1', true, 'a'],
    ])
  })
})

describe('further replies', () => {
  it('come right behind a comment that has none yet, and last when it is not among the rows', () => {
    const rows = commentRows([comment('a'), comment('b')])
    expect(keys(withReplies(rows, 'a', [comment('a1')]))).toEqual(['a', 'a1', 'b'])
    expect(keys(withReplies(rows, 'x', [comment('x1')]))).toEqual(['a', 'b', 'x1'])
    expect(keys(withReplies([], 'x', [comment('x1')]))).toEqual(['x1'])
  })
})
