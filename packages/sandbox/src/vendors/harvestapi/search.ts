import { shareIdOf } from '../../world/activity-id.ts'
import type { ContentType } from '../../world/posts.ts'
import { hash32 } from '../../world/random.ts'
import type { Hit } from '../../world/search.ts'
import { numberIn, readToken, tokenFor } from '../paging.ts'
import { found, listIn, postOf } from '../search.ts'
import { BadQuery, type Reply, type VendorContext } from '../vendor.ts'
import { list } from './envelope.ts'
import { postElement } from './post.ts'

const PAGE = 50
const DAYS: Readonly<Record<string, number>> = { '24h': 1, week: 7, month: 30 }
const CONTENT: Readonly<Record<string, ContentType>> = {
  videos: 'video',
  images: 'image',
  jobs: 'job',
  live_videos: 'live_video',
  documents: 'document',
  collaborative_articles: 'collaborative_article',
}

/** `/linkedin/post-search`: fifty a page, with or without a token; `sortBy=date` chooses the newest and leaves each page unordered. */
export function postSearch(context: VendorContext): Reply {
  const { query } = context
  const byDate = known(query.sortBy, { relevance: false, date: true }, 'sortBy') ?? false
  const hits = found(context, {
    term: query.search ?? '',
    byDate,
    days: known(query.postedLimit, DAYS, 'postedLimit'),
    contentType: known(query.contentType, CONTENT, 'contentType'),
    industries: listIn(context, 'authorsIndustryId'),
    employers: listIn(context, 'authorsCompanyId', 'authorsCompany'),
    authorWords: query.authorKeywords || undefined,
    fromPeople: listIn(context, 'profileId', 'profile'),
    fromPages: listIn(context, 'companyId', 'company'),
    namedPeople: listIn(context, 'mentioningMember'),
    namedPages: listIn(context, 'mentioningCompany'),
  })
  const scope = `search ${query.search ?? ''}`
  if (query.paginationToken) readToken(query.paginationToken, scope)
  const rows = byDate ? shuffledByPage(hits) : hits
  return list(
    context,
    {
      entityId: 'search',
      rows,
      total: rows.length,
      page: numberIn(query, 'page', { otherwise: 1, least: 1 }),
      size: PAGE,
      token: (offset) => tokenFor(scope, offset),
    },
    (hit) => element(context, hit),
  )
}

/** Now and then a row is known by its share's number, and only `engagement.id` holds the activity's; a post in a group has none at all. */
function element(context: VendorContext, hit: Hit): unknown {
  const post = postOf(context, hit)
  const made = post && postElement(context, post)
  if (!made) return null
  if (hit.facts.inGroup) {
    const urn = `urn:li:groupPost:8765432-${shareIdOf(hit.id)}`
    return {
      ...made,
      id: urn,
      entityId: urn,
      linkedinUrl: `https://www.linkedin.com/feed/update/${urn}`,
      shareUrn: null,
      shareLinkedinUrl: null,
      engagement: { ...(made.engagement as object), id: urn },
    }
  }
  if (hash32(hit.id, 97) % 50 !== 0) return made
  const share = shareIdOf(hit.id)
  return {
    ...made,
    id: share,
    entityId: share,
    linkedinUrl: String(made.linkedinUrl).replace(`activity-${hit.id}`, `share-${share}`),
  }
}

function shuffledByPage(hits: readonly Hit[]): Hit[] {
  return hits
    .map((hit, at) => ({ hit, page: Math.floor(at / PAGE), turn: hash32(hit.id, 98) }))
    .sort((a, b) => a.page - b.page || a.turn - b.turn)
    .map(({ hit }) => hit)
}

function known<T>(text: string | undefined, values: Readonly<Record<string, T>>, name: string): T | undefined {
  if (text === undefined || text === '') return undefined
  if (!Object.hasOwn(values, text)) throw new BadQuery(`${name} must be one of ${Object.keys(values).join(', ')}`)
  return values[text]
}
