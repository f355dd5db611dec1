import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Engagement } from '../../leads/rules/engagement.ts'
import type { RunSettings } from '../../sources/index.ts'
import { maxEntriesSeen, policyOf } from '../../sources/runs/rules/policy.ts'
import { authorOf } from './engagements.ts'
import { endingOf, firstPhase, shareOf } from './next-step.ts'
import { take, type Facts } from './take.ts'

const by = (person: string, key: string, reaction: Engagement['reaction'] = 'Like'): Engagement => ({
  key,
  person: {
    urn: person,
    name: person,
    handle: null,
    headline: null,
    linkedinUrl: `https://x/in/${person}`,
    avatarUrl: null,
  },
  type: 'Like',
  reaction,
  isReply: false,
  commentText: null,
  commentPostedAt: null,
})
type Given = Partial<Facts<'cap' | 'balance'>> & { capLeft?: number | null; balance?: number }
const facts = ({ capLeft = null, balance = 100, ...over }: Given): Facts<'cap' | 'balance'> => ({
  engagements: [],
  stored: new Map(),
  counted: new Set(),
  blocked: new Set(),
  charged: new Set(),
  bounds: [
    ...(capLeft === null ? [] : [{ counts: 'rows', left: capLeft, stop: 'cap' } as const]),
    { counts: 'people', left: balance, stop: 'balance' },
  ],
  ...over,
})

describe('taking a page', () => {
  it('names the foremost of the bounds that a further person would pass, and lets known people through [CRD-20, KRN-11]', () => {
    const bounds = (['credits', 'team_cap', 'budget'] as const).map(
      (stop, index) => ({ counts: 'people', left: [1, 1, 0][index]!, stop }) as const,
    )
    const engagements = [by('known', '1'), by('a', '2')]
    expect(take({ ...facts({}), engagements, charged: new Set(['known']), bounds })).toMatchObject({
      stop: 'budget',
      charge: [],
      rows: [{ key: '1' }],
    })
    const paid = bounds.map((bound) => ({ ...bound, left: 1 }))
    expect(
      take({
        ...facts({}),
        engagements: [...engagements, by('b', '3')],
        charged: new Set(['known']),
        bounds: paid,
      }),
    ).toMatchObject({ stop: 'credits', charge: ['a'] })
  })
  it('takes nothing of people who are blocked: no row, no charge, no changed reaction, and no bound is reached by them [PRV-06]', () => {
    const engagements = [by('erased', '1'), by('a', '2'), { ...by('erased', '3'), reaction: 'Praise' as const }]
    const stored = new Map([['3', 'Like']])
    const taken = take(facts({ engagements, stored, blocked: new Set(['erased']), capLeft: 1, balance: 1 }))
    expect(taken).toEqual({
      rows: [engagements[1]],
      changed: [],
      charge: ['a'],
      free: [
        { key: '1', reason: 'blocked' },
        { key: '3', reason: 'blocked' },
      ],
      judged: 3,
      stop: null,
      rest: [],
    })
  })
  it('gives back what was not looked at, from the row that a bound kept out, so that it can be taken later [G148]', () => {
    const engagements = [by('a', '1'), by('b', '2'), by('a', '3'), by('c', '4')]
    const first = take(facts({ engagements, capLeft: 2 }))
    expect([first.rows.map((row) => row.key), first.rest.map((row) => row.key)]).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    const second = take(facts({ engagements: first.rest, charged: new Set(['a', 'b']), capLeft: 2 }))
    expect([second.rows.map((row) => row.key), second.charge, second.rest, second.stop]).toEqual([
      ['3', '4'],
      ['c'],
      [],
      null,
    ])
  })
  it('never charges more than the balance, never stores more than the cap, and charges exactly the new people of its rows', () => {
    const engagement = fc
      .tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 20 }))
      .map(([person, key]) => by(`p${person}`, `${key}`))
    const people = fc.uniqueArray(fc.integer({ min: 0, max: 8 }).map((person) => `p${person}`))
    fc.assert(
      fc.property(
        fc.array(engagement),
        people,
        fc.option(fc.integer({ min: 0, max: 10 })),
        fc.integer({ min: 0, max: 10 }),
        (engagements, charged, capLeft, balance) => {
          const taken = take(facts({ engagements, charged: new Set(charged), capLeft, balance }))
          const owed = new Set(taken.rows.map((row) => row.person.urn).filter((urn) => !charged.includes(urn)))
          expect(taken.charge.length).toBeLessThanOrEqual(balance)
          if (capLeft !== null) expect(taken.rows.length).toBeLessThanOrEqual(capLeft)
          expect(new Set(taken.charge)).toEqual(owed)
          expect(new Set(taken.rows.map((row) => row.key)).size).toBe(taken.rows.length)
          if (taken.stop === null) expect(taken.rows.length).toBe(new Set(engagements.map((each) => each.key)).size)
        },
      ),
    )
  })
})

describe('a share of what is left', () => {
  it('is equal for all who wait for this turn, and at least one row [G148]', () => {
    expect([shareOf(20, 423), shareOf(20, 3), shareOf(14, 2), shareOf(7, 1), shareOf(0, 5), shareOf(9, 0)]).toEqual([
      1, 6, 7, 7, 1, 9,
    ])
  })
  it('is all that is left, shared out to the last credit, when every post has enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 50 }), (credits, posts) => {
        const shares: number[] = []
        let left = credits
        for (let waiting = posts; waiting > 0 && left > 0; waiting--) {
          shares.push(Math.min(left, shareOf(left, waiting)))
          left -= shares.at(-1)!
        }
        expect([left, Math.max(...shares) - Math.min(...shares) <= 1]).toEqual([0, true])
      }),
    )
  })
})

const plain: RunSettings = {
  mode: 'engagers',
  maxPosts: 15,
  sinceDays: null,
  rowCap: null,
  captureReplies: true,
  enrichLeads: true,
}

describe('an author', () => {
  const author = {
    kind: 'person',
    urn: 'ACoAAannbcdefghijklmnopqrstuvwxyzBCDEFG',
    name: 'Ann',
    url: 'https://www.linkedin.com/in/Ann-Lee',
    headline: 'CTO',
  } as const
  it('is nobody when it is a page, or a person whom no member id names [KRN-06, CRD-22]', () => {
    expect([
      authorOf({ urn: 'x', author: { ...author, kind: 'company' } }),
      authorOf({ urn: 'x', author: { ...author, urn: null } }),
    ]).toEqual(['company', 'unknown'])
  })
})

describe('the ending', () => {
  it.each([
    ['everything collected', { providerLimited: false, engagersSeen: 3, declared: 3 }, 'exhausted'],
    ['posts that declare nothing', { providerLimited: false, engagersSeen: 0, declared: 0 }, 'exhausted'],
    ['declared engagement, nobody seen', { providerLimited: false, engagersSeen: 0, declared: 9 }, 'capture_empty'],
    ['the vendor stopped', { providerLimited: true, engagersSeen: 1_100, declared: 2_000 }, 'provider_limit'],
  ] as const)('%s', (_title, run, stoppedBy) => {
    expect(endingOf({ ...run, policy: policyOf(plain, 'capture'), cursor: { phase: 'engagement' } }).stoppedBy).toBe(
      stoppedBy,
    )
  })
  it('reads one large page more than a keyword run may charge people [KRN-08]', () => {
    expect([maxEntriesSeen(1), maxEntriesSeen(100), maxEntriesSeen(250)]).toEqual([101, 200, 350])
  })
  it('asks for no engagement of a post whose engagers nobody wants [KRN-04]', () => {
    expect(firstPhase({ reactions: 5, comments: 5 }, false)).toBe('done')
  })
  it('skips kinds of engagement a post declares to have none of', () => {
    expect([
      firstPhase({ reactions: 0, comments: 2 }),
      firstPhase({ reactions: 0, comments: 0 }),
      firstPhase({ reactions: null, comments: 0 }),
    ]).toEqual(['comments', 'done', 'reactions'])
  })
})
