/** Caps are exact even though posts are read ahead by the counts a vendor declares, and it serves more. */
import { expect, it } from 'vitest'
import { trackSource } from '../../src/modules/sources/index.ts'
import type { Network, Post, Reaction } from '../../src/providers/ports.ts'
import { useWorld } from '../world/world.ts'

const last = { next: null, cutShort: false, source: 'primary' } as const

const posts = Array.from(
  { length: 8 },
  (_, at): Post => ({
    urn: `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(at)}`,
    url: `https://example.com/${at}`,
    text: 'A post',
    author: { kind: 'person', urn: 'ACoAAauthor', name: 'Author', url: null, headline: null },
    postedAt: '2026-11-20T00:00:00.000Z',
    contentType: null,
    totalReactionCount: 10,
    commentsCount: 0,
    aliases: [],
  }),
)
const likesOf = (post: { urn: string }) =>
  Array.from({ length: 150 }, (_, at): Reaction => {
    const urn = `ACoAA${post.urn.slice(-3)}x${at}`
    const unknown = { name: null, headline: null, handle: null, avatarUrl: null }
    return {
      actor: { kind: 'person', urn, linkedinUrl: `https://www.linkedin.com/in/${urn}`, ...unknown },
      reaction: 'Like',
    }
  })

/** A vendor that declares ten likes for each of eight posts and serves 150 on one page. */
const generous = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  posts: async () => ({ ...last, items: posts, total: 8 }),
  reactions: async (post) => ({ ...last, items: likesOf(post), total: 150 }),
} satisfies Partial<Network> as unknown as Network

const world = useWorld({ config: { roles: ['http'] }, overrides: { network: generous } })

it('a cap that a vendor passes by serving more than it declares is kept to the row [SYN-05]', async () => {
  const team = await world.team({ credits: 5_000 })
  const caller = { teamId: team.id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
  // By the declared counts, eight posts and one large page fit into the cap; the vendor serves 1,200.
  const named = { enrichLeads: false, creditCapPerSync: 900 }
  await world.unit(team, (tx) =>
    trackSource(tx, caller, { type: 'person', username: world.handle('author'), named, confirmSpend: true }),
  )
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
