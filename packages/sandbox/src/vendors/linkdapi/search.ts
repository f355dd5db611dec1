import { shareIdOf } from '../../world/activity-id.ts'
import type { ContentType } from '../../world/posts.ts'
import type { Hit } from '../../world/search.ts'
import { claimedTotal, numberIn, pageOf } from '../paging.ts'
import { found, listIn, postOf } from '../search.ts'
import { BadQuery, type Reply, type VendorContext } from '../vendor.ts'
import { success } from './envelope.ts'
import { postData } from './post.ts'

const PAGE = 10
const DAYS: Readonly<Record<string, number>> = { 'past-24h': 1, 'past-week': 7, 'past-month': 30, 'past-year': 365 }
const CONTENT: Readonly<Record<string, ContentType>> = {
  videos: 'video',
  photos: 'image',
  jobs: 'job',
  liveVideos: 'live_video',
  documents: 'document',
  collaborativeArticles: 'collaborative_article',
}

/** `/search/posts`: ten a page by `start`; no filter by words in a headline, only by current job title. */
export function searchPosts(context: VendorContext): Reply {
  const { query } = context
  const window = { offset: numberIn(query, 'start'), size: PAGE }
  const hits = found(context, {
    term: query.keyword ?? '',
    byDate: known(query.sortBy, { relevance: false, date_posted: true }, 'sortBy') ?? false,
    days: known(query.datePosted, DAYS, 'datePosted'),
    contentType: known(query.contentType, CONTENT, 'contentType'),
    industries: single(query.authorIndustry),
    employers: single(query.authorCompany),
    authorWords: query.authorJobTitle || undefined,
    fromPeople: single(query.fromMember),
    fromPages: listIn(context, 'fromOrganization'),
    namedPeople: single(query.mentionsMember),
    namedPages: listIn(context, 'mentionsOrganization'),
  })
  const { rows, more } = pageOf(hits, window, context.fault)
  return success({
    posts: rows.map((hit) => row(context, hit)),
    total: claimedTotal(hits.length, window, context.fault),
    start: window.offset,
    count: rows.length,
    hasMore: more,
  })
}

/** A found post has its address and number under names of their own. */
function row(context: VendorContext, hit: Hit): unknown {
  const post = postOf(context, hit)
  if (!post) return null
  const { url, ...made } = postData(context, post)
  if (!hit.facts.inGroup) return { ...made, postID: hit.id, postURL: url }
  const urn = `urn:li:groupPost:8765432-${shareIdOf(hit.id)}`
  return { ...made, urn, postID: shareIdOf(hit.id), postURL: `https://www.linkedin.com/feed/update/${urn}` }
}

/** One value and no list: a comma belongs to it, so that several in one find nothing. */
const single = (value: string | undefined): string[] => (value === undefined || value === '' ? [] : [value.trim()])

function known<T>(text: string | undefined, values: Readonly<Record<string, T>>, name: string): T | undefined {
  if (text === undefined || text === '') return undefined
  if (!Object.hasOwn(values, text)) throw new BadQuery(`${name} must be one of ${Object.keys(values).join(', ')}`)
  return values[text]
}
