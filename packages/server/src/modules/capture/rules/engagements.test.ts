import { describe, expect, it } from 'vitest'
import type { Comment, Reaction } from '../../../providers/ports.ts'
import { fromComments, fromReactions } from './engagements.ts'

const post = { urn: 'urn:li:activity:1', authorUrn: 'ACoAAauthor' }
const person = (urn: string) =>
  ({
    kind: 'person',
    urn,
    name: urn,
    headline: 'CTO',
    handle: urn.toLowerCase(),
    linkedinUrl: `https://www.linkedin.com/in/${urn}`,
    avatarUrl: null,
  }) as const
const page = { kind: 'company', name: 'Acme', linkedinUrl: 'https://www.linkedin.com/company/acme' } as const

describe('reactions of a page', () => {
  const reactions: Reaction[] = [
    { actor: person('ACoAAann'), reaction: 'Praise' },
    { actor: page, reaction: 'Like' },
    { actor: person('ACoAAauthor'), reaction: 'Like' },
    { actor: person('ACoAAben'), reaction: 'Like' },
  ]

  it('are rows of people, not of the author of the post; company pages are counted alone [G112, G113, LDG-03]', () => {
    expect(fromReactions(post, reactions).engagements).toEqual([
      {
        key: 'reaction:urn:li:activity:1:ACoAAann',
        person: person('ACoAAann'),
        type: 'Like',
        reaction: 'Praise',
        isReply: false,
        commentText: null,
        commentPostedAt: null,
      },
      { key: `reaction:urn:li:activity:1:page:${page.linkedinUrl}`, person: null, by: 'company' },
      {
        key: 'reaction:urn:li:activity:1:ACoAAben',
        person: person('ACoAAben'),
        type: 'Like',
        reaction: 'Like',
        isReply: false,
        commentText: null,
        commentPostedAt: null,
      },
    ])
  })
  it('count everybody as seen, since the page could be read', () => {
    expect([fromReactions(post, reactions).engagersSeen, fromReactions(post, []).engagersSeen]).toEqual([4, 0])
  })
  it('leave out nobody while the author is not known', () => {
    expect(
      fromReactions({ ...post, authorUrn: null }, reactions).engagements.flatMap((each) => each.person?.urn ?? []),
    ).toEqual(['ACoAAann', 'ACoAAauthor', 'ACoAAben'])
  })
})

describe('comments of a page', () => {
  const said = (id: string, actor: Comment['actor'], parentId: string | null = null): Comment => ({
    id,
    actor,
    text: `says ${id}`,
    postedAt: '2026-01-02T03:04:05.000Z',
    parentId,
  })
  const comments = [
    said('1', person('ACoAAann')),
    said('2', person('ACoAAben'), '1'),
    said('3', page),
    said('4', person('ACoAAauthor'), '1'),
    said('5', person('ACoAAann')),
  ]

  it('are rows of people with what they said and when, one for each comment and reply [G111, TRK-45]', () => {
    const common = { type: 'Comment', reaction: null, commentPostedAt: '2026-01-02T03:04:05.000Z' }
    expect(fromComments(post, comments, true).engagements).toEqual([
      {
        ...common,
        key: 'comment:urn:li:activity:1:1',
        person: person('ACoAAann'),
        isReply: false,
        commentText: 'says 1',
      },
      {
        ...common,
        key: 'comment:urn:li:activity:1:2',
        person: person('ACoAAben'),
        isReply: true,
        commentText: 'says 2',
      },
      { key: 'comment:urn:li:activity:1:3', person: null, by: 'company' },
      {
        ...common,
        key: 'comment:urn:li:activity:1:5',
        person: person('ACoAAann'),
        isReply: false,
        commentText: 'says 5',
      },
    ])
  })
  it('leave replies out of a source that captures none, and still count them as seen [TRK-45]', () => {
    const seen = fromComments(post, comments, false)
    expect([seen.engagements.map((each) => each.key), seen.engagersSeen]).toEqual([
      ['comment:urn:li:activity:1:1', 'comment:urn:li:activity:1:3', 'comment:urn:li:activity:1:5'],
      5,
    ])
  })
})
