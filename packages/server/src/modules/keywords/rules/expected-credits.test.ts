import { describe, expect, it } from 'vitest'
import { expectedCredits, type KnownPeople, type PaysFor, type TriedPost } from './expected-credits.ts'

const post = (urn: string, now: boolean, tried: boolean, engagement: number): TriedPost => ({
  urn,
  now,
  tried,
  engagement,
})
const posts = [post('kept', true, true, 40), post('lost', true, false, 10), post('gained', false, true, 20)]
const nobody: KnownPeople = { gainedNew: 0, lostOwn: 0, ownPeople: 0, ownPosts: [], known: [] }
const everybody: PaysFor = {
  mode: 'engagers',
  captureEngagers: true,
  capturePostAuthors: false,
  maxEngagementsPerPost: null,
}

describe('what a change of words is expected to cost', () => {
  it('is a range: from the people a post brought so far to one for each engagement', () => {
    // 10 people from the 50 engagements declared by the posts read so far.
    const people = { ...nobody, ownPeople: 10, ownPosts: ['kept', 'lost'], lostOwn: 3 }
    expect(expectedCredits(posts, people, everybody)).toEqual({ from: 4, to: 20, lost: 3 })
  })

  it('counts who is known once, and for nothing when the search has captured them already', () => {
    const people = { ...nobody, gainedNew: 2, known: [{ urn: 'gained', people: 6 }] }
    expect(expectedCredits(posts, people, everybody)).toEqual({ from: 2, to: 16, lost: 0 })
    expect(expectedCredits(posts, { ...people, known: [{ urn: 'gained', people: 25 }] }, everybody).to).toBe(2)
  })

  it('holds to what the search pays for: authors, few people of each post, or posts', () => {
    expect(expectedCredits(posts, nobody, { ...everybody, maxEngagementsPerPost: 5 }).to).toBe(5)
    expect(expectedCredits(posts, nobody, { ...everybody, captureEngagers: false, capturePostAuthors: true }).to).toBe(
      1,
    )
    expect(expectedCredits(posts, nobody, { ...everybody, mode: 'posts_only' })).toEqual({ from: 1, to: 1, lost: 1 })
  })
})
