/**
 * A keyword run over many posts: lead rows a second beside the capture figure, and what a page costs in the first run
 * and in the fiftieth.
 */
import { sql } from 'kysely'
import { trackSearch } from '../packages/server/src/modules/keywords/index.ts'
import { lockSource, openRun } from '../packages/server/src/modules/sources/index.ts'
import type { Network, Page, Reaction, SearchPage } from '../packages/server/src/providers/ports.ts'
import { likeOf, notAsked, postOf } from './networks.ts'
import {
  bareCapture,
  cost,
  countStatements,
  median,
  openStage,
  option,
  pageCost,
  printFigures,
  printStatements,
  resetStatements,
  seconds,
  topStatements,
  type Figure,
} from './support.ts'

const posts = option('posts', 2_000)
const runs = option('runs', 50)
const laterPosts = option('later-posts', 100)
const perPage = 50
const engagers = 100
const lanes = 4

let run = 0
let calls = 0
const wanted = (): number => (run === 0 ? posts : laterPosts)
const urnOf = (index: number): string =>
  `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(run * 1_000_000 + index)}`

/** A network that answers at once, every run with new posts and new people. */
const network: Network = {
  ...notAsked,
  searchPosts: async (_search, at): Promise<SearchPage> => {
    calls += 1
    const page = at === null ? 0 : Number(at.cursor.page)
    const items = Array.from({ length: Math.min(perPage, wanted() - page * perPage) }, (_, each) =>
      postOf(urnOf(page * perPage + each), { author: 'Author', reactions: engagers }),
    )
    return {
      items,
      next: (page + 1) * perPage < wanted() ? { page: page + 1 } : null,
      total: wanted(),
      cutShort: false,
      source: 'primary',
      unapplied: [],
    }
  },
  reactions: async (post): Promise<Page<Reaction>> => {
    calls += 1
    const items = Array.from({ length: engagers }, (_, nth) => likeOf(`ACoAA${post.urn.slice(-9)}x${nth}`, nth))
    return { items, next: null, total: engagers, cutShort: false, source: 'primary' }
  },
}

const stage = await openStage({ overrides: { network } })
const { service } = stage
const team = await stage.team()
const caller = { teamId: team.id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true } as const
await sql`update team set keyword_daily_ceiling = 2147483647`.execute(service.database.root)
const { sourceId } = await service.unitOfWork((tx) =>
  trackSearch(tx, caller, {
    keywords: ['sales'],
    named: { creditCap: 2_147_483_647, captureMode: 'depth', datePosted: 'PAST_WEEK' },
    contract: 'spend',
    confirmSpend: true,
    confirmChanges: true,
  }),
)

/** Works everything of a run; gives the seconds. */
const sweep = (): Promise<number> =>
  seconds(async () => {
    for (const kind of ['keyword', 'capture'] as const) {
      const step = service.steps[kind]
      await Promise.all(
        Array.from({ length: lanes }, async () => {
          while ((await step()) === 'worked') {
            /* next page */
          }
        }),
      )
    }
  })

await resetStatements(stage.tools.pool)
const spent = await cost(stage, sweep)
const asked = await countStatements(stage.tools.pool)
const statements = await topStatements(stage.tools.pool)
const first = spent.seconds
const { leads, others } = await bareCapture(stage, { perPage: engagers, lanes })
const bare = leads + others
const perPageMs: number[] = []
for (run = 1; run <= runs; run++) {
  await service.unitOfWork(async (tx) => {
    const source = await lockSource(tx, team.id, { id: sourceId })
    await openRun(tx, source!, 'manual')
  })
  calls = 0
  perPageMs.push(((await sweep()) * 1_000) / calls)
}
const { rows } = await sql<{ count: number }>`select count(*)::bigint as count from lead`.execute(service.database.root)
await stage.close()
console.log(pageCost(spent, asked, { rows: posts * engagers, pages: posts }))

/** What a page costs in the last runs against the first; nothing where no run was asked for beyond the one over many posts. */
function later(): Figure[] {
  if (perPageMs.length === 0) return []
  const [early, late] = [median(perPageMs.slice(0, 5)), median(perPageMs.slice(-5))]
  const ratio = late / early
  return [
    {
      name: `one vendor page after ${runs} runs (${rows[0]!.count} leads) against the first runs`,
      measured: `${late.toFixed(1)} ms`,
      limit: `${early.toFixed(1)} ms`,
      ratio,
      aim: '<= 1.5',
      reached: ratio <= 1.5,
    },
  ]
}

printFigures('Keyword runs', [
  {
    name: `lead rows/s of a run over ${posts} posts with ${engagers} engagers each`,
    measured: `${Math.round((posts * engagers) / first)}/s`,
    limit: `${Math.round((posts * engagers) / bare)}/s: bare inserts of the rows of all four tables`,
    ratio: bare / first,
    aim: '>= 0.5',
    reached: bare / first >= 0.5,
  },
  ...later(),
])
printStatements('Where the database spent its time', statements)
