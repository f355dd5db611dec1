/** Lead rows per second of a keyword run over many posts, compared with bare inserts of the same rows. */
import { sql } from 'kysely'
import { trackSearch } from '../packages/server/src/modules/keywords/index.ts'
import type { Network, Page, Reaction, SearchPage } from '../packages/server/src/providers/ports.ts'
import { bareCapture, likeOf, notAsked, openStage, option, postOf, report, seconds, workAll } from './support.ts'

const posts = option('posts', 2_000)
const [perPage, engagers, lanes] = [50, 100, 4]

const network: Network = {
  ...notAsked,
  searchPosts: async (_search, at): Promise<SearchPage> => {
    const page = at === null ? 0 : Number(at.cursor.page)
    const items = Array.from({ length: Math.min(perPage, posts - page * perPage) }, (_, nth) =>
      postOf(`urn:li:activity:${7_000_000_000_000_000_000n + BigInt(page * perPage + nth)}`, 'Author', engagers),
    )
    const next = (page + 1) * perPage < posts ? { page: page + 1 } : null
    return { items, next, total: posts, cutShort: false, source: 'primary', unapplied: [] }
  },
  reactions: async (post): Promise<Page<Reaction>> => {
    const items = Array.from({ length: engagers }, (_, nth) => likeOf(`ACoAA${post.urn.slice(-9)}x${nth}`, nth))
    return { items, next: null, total: engagers, cutShort: false, source: 'primary' }
  },
}

const stage = await openStage({ overrides: { network } })
const { service } = stage
const { id: teamId } = await stage.team()
const caller = { teamId, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
await sql`update team set keyword_daily_ceiling = 2147483647`.execute(service.database.root)
await service.unitOfWork((tx) =>
  trackSearch(tx, caller, {
    keywords: ['sales'],
    named: { creditCap: 2_147_483_647, captureMode: 'depth', datePosted: 'PAST_WEEK' },
    contract: 'spend',
    confirmSpend: true,
    confirmChanges: true,
  }),
)
const took = await seconds(async () => {
  await workAll(service.steps.keyword, lanes)
  await workAll(service.steps.capture, lanes)
})
const { rows } = await sql<{ captured: number }>`select count(*)::int as captured from lead`.execute(
  service.database.root,
)
const { captured } = rows[0]!
if (captured !== posts * engagers) throw new Error(`${captured} of ${posts * engagers} leads were captured`)
const bare = await bareCapture(stage, engagers, lanes)
await stage.close()
report({
  keyword: {
    measured: `${Math.round(captured / took)} rows/s over ${captured}`,
    beside: `${Math.round(captured / bare)} rows/s: bare inserts into all four tables`,
    value: bare / took,
  },
})
