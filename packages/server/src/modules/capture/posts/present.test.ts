import { describe, expect, it } from 'vitest'
import type { Comment } from '../../../providers/ports.ts'
import { commentRows, reactionRows } from './present.ts'

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
