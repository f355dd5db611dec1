/** A cap is exact although posts are read ahead by what a vendor declares and it serves more. */
import { describe, expect, it } from 'vitest'
import { trackSource } from '../../src/modules/sources/index.ts'
import type { Network, Page, Post, Reaction } from '../../src/providers/ports.ts'
import { useWorld, type Team } from '../world/world.ts'
import { hastyMachine } from './sync-stage.ts'

const notAsked = (): never => {
  throw new Error('not asked for here')
}
const urnOf = (at: number) => `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(at)}`
const perPage = 150

/** A vendor that declares ten likes of each of eight posts, and serves 150 on one page. */
const generous: Network = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  resolveHandle: notAsked,
  profile: notAsked,
  company: notAsked,
  post: notAsked,
  replies: notAsked,
  comments: notAsked,
  searchPosts: notAsked,
  posts: async (): Promise<Page<Post>> => ({
    items: Array.from({ length: 8 }, (_, at) => ({
      urn: urnOf(at),
      url: `https://example.com/${at}`,
      text: 'A post',
      author: { kind: 'person', urn: 'ACoAAauthor', name: 'Author', url: null, headline: null },
      postedAt: '2026-11-20T00:00:00.000Z',
      contentType: null,
      totalReactionCount: 10,
      commentsCount: 0,
      aliases: [],
    })),
    next: null,
    total: 8,
    cutShort: false,
    source: 'primary',
  }),
  reactions: async (post): Promise<Page<Reaction>> => ({
    items: Array.from({ length: perPage }, (_, at): Reaction => {
      const urn = `ACoAA${post.urn.slice(-3)}x${at}`
      const actor = { kind: 'person', urn, name: null, headline: null, handle: null, avatarUrl: null } as const
      return { actor: { ...actor, linkedinUrl: `https://www.linkedin.com/in/${urn}` }, reaction: 'Like' }
    }),
    next: null,
    total: perPage,
    cutShort: false,
    source: 'primary',
  }),
}

const world = useWorld({ config: { roles: ['http'] }, overrides: { system: hastyMachine, network: generous } })
const callerOf = (team: Team) =>
  ({ teamId: team.id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true }) as const

/** Tracks a source whose runs take so many rows at most. */
async function tracked(creditCapPerSync?: number) {
  const team = await world.team({ credits: 5_000 })
  const named = { enrichLeads: false, ...(creditCapPerSync === undefined ? {} : { creditCapPerSync }) }
  const { sourceId } = await world.service.unitOfWork((tx) =>
    trackSource(tx, callerOf(team), { type: 'person', username: world.handle('author'), named, confirmSpend: true }),
  )
  return { team, sourceId }
}

describe('a cap that a vendor passes by serving more than it declares', () => {
  it('is kept to the row [SYN-05]', async () => {
    // Eight posts of ten and a large page more are within it; what comes is 1,200.
    const { team } = await tracked(900)
    while ((await world.service.steps.capture()) === 'worked') {
      // The next page.
    }
    const { rows } = await world.database.pool.query(
      `select lead_rows, stopped_by, (select count(*)::int from lead where team_id = $1) as leads from sync where team_id = $1`,
      [team.id],
    )
    expect(rows).toEqual([{ lead_rows: 900, stopped_by: 'credits', leads: 900 }])
    expect(await team.balance()).toBe(4_100)
  })
})
