/** Targeting that a vendor cannot apply: the service applies it if the post's author shows it, else the run says so. */
import { describe, expect, it } from 'vitest'
import type { Network, Post } from '../../src/providers/ports.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { decidedOf, run } from './keyword-run-stage.ts'

const member = 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH'
const post = (number: number, author: Post['author']): Post => ({
  urn: `urn:li:activity:739500000000000000${number}`,
  url: `https://www.linkedin.com/feed/update/urn:li:activity:739500000000000000${number}`,
  text: 'Topic',
  author,
  postedAt: null,
  contentType: null,
  totalReactionCount: 0,
  commentsCount: 0,
  aliases: [],
})
const ann: Post['author'] = { kind: 'person', urn: member, name: 'Ann', url: null, headline: null }
const found = [
  post(1, ann),
  post(2, { ...ann, urn: 'ACoAAAbenBenBenBenBenBen' }),
  post(3, { ...ann, kind: 'company', urn: 'urn:li:company:7' }),
]

const network = {
  callsAtOnce: () => 20,
  searchPosts: async () => ({
    items: found,
    next: null,
    total: 3,
    cutShort: false,
    source: 'primary',
    unapplied: ['authorIndustry', 'fromPerson'],
  }),
} as Partial<Network> as Network
const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { network } })

describe('a targeting filter that the vendor left out', () => {
  it('is applied here where the author tells, apart from the expression, and told where not [KRN-09, AIF-08, SRC-09]', async () => {
    const team = await world.team()
    const row = await run(world, team, { keyword: 'Topic', fromPerson: [member], authorIndustry: ['4'] })
    expect(row.lastRun).toMatchObject({
      stoppedBy: 'exhausted',
      postsScanned: 3,
      postsKept: 1,
      discardedByExpression: 0,
      unappliedFilters: ['authorIndustry'],
    })
    const decided = new Map((await decidedOf(team, row.id)).map((each) => [each.postUrn, each]))
    expect(decided.get(found[0]!.urn)).toMatchObject({ outcome: 'kept', postedAt: null })
    expect(decided.get(found[1]!.urn)).toMatchObject({
      outcome: 'discarded',
      reason: 'The author is not among fromPerson',
    })
  })
})
