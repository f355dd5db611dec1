/** Networks of the benchmarks: they answer at once, so that only our own work is measured. */
import type { CompanyRecord, Network, Page, Post, Profile, Reaction } from '../packages/server/src/providers/ports.ts'

const unused = (): never => {
  throw new Error('not part of this benchmark')
}

/** A network of which nothing is asked. */
export const notAsked: Network = {
  roleOf: () => 'primary',
  callsAtOnce: () => 100,
  resolveHandle: unused,
  profile: unused,
  company: unused,
  post: unused,
  replies: unused,
  posts: unused,
  reactions: unused,
  comments: unused,
  searchPosts: unused,
}

/** A post with so many reactions. */
export const postOf = (
  urn: string,
  { author, reactions }: { readonly author: string; readonly reactions: number },
): Post => ({
  urn,
  url: `https://example.com/${urn}`,
  text: 'A post about sales',
  author: { kind: 'person', urn: 'ACoAAauthor', name: author, url: null, headline: null },
  postedAt: '2026-11-20T00:00:00.000Z',
  contentType: null,
  totalReactionCount: reactions,
  commentsCount: 0,
  aliases: [],
})

/** A like of somebody. */
export const likeOf = (urn: string, nth: number): Reaction => ({
  actor: {
    kind: 'person',
    urn,
    name: `Person ${nth}`,
    headline: 'Head of Growth at Example',
    handle: null,
    linkedinUrl: `https://www.linkedin.com/in/${urn}`,
    avatarUrl: null,
  },
  reaction: 'Like',
})

/** How much there is to be captured of each person: posts, pages of reactions of a post, reactions of a page. */
export type Reactions = { readonly posts: number; readonly pages: number; readonly perPage: number }

/** People with posts that have reactions, each of somebody else; `onPage` hears of every page of reactions. */
export const networkOfReactions = ({ posts, pages, perPage }: Reactions, onPage: () => void = () => {}): Network => ({
  ...notAsked,
  posts: async (of): Promise<Page<Post>> => {
    const name = of.kind === 'person' ? of.handle : of.slug
    const urnOf = (nth: number) =>
      `urn:li:activity:${7_000_000_000_000_000_000n + BigInt(Number(name.replace(/\D/g, '')) * 100 + nth)}`
    const items = Array.from({ length: posts }, (_, nth) =>
      postOf(urnOf(nth), { author: name, reactions: pages * perPage }),
    )
    return { items, next: null, total: null, cutShort: false, source: 'primary' }
  },
  reactions: async (post, at): Promise<Page<Reaction>> => {
    onPage()
    const page = at === null ? 0 : Number(at.cursor.page)
    const items = Array.from({ length: perPage }, (_, nth) => likeOf(`ACoAA${post.urn.slice(-6)}${page}x${nth}`, nth))
    return {
      items,
      next: page + 1 < pages ? { page: page + 1 } : null,
      total: pages * perPage,
      cutShort: false,
      source: 'primary',
    }
  },
})

const companies = 997
const numberOf = (urn: string): number => Number(urn.replace(/\D/g, ''))

const profileOf = (urn: string): Profile => ({
  urn,
  handle: `person-${numberOf(urn)}`,
  name: `Person ${numberOf(urn)}`,
  headline: 'Head of Growth',
  linkedinUrl: `https://www.linkedin.com/in/person-${numberOf(urn)}`,
  avatarUrl: null,
  jobs: [],
  jobTitle: numberOf(urn) % 2 === 0 ? 'Head of Growth' : 'Plumber',
  country: 'Germany',
  countryCode: 'DE',
  company: {
    urn: `urn:li:company:${numberOf(urn) % companies}`,
    slug: null,
    name: `Company ${numberOf(urn) % companies}`,
  },
})

const companyOf = (urn: string): CompanyRecord => ({
  urn,
  slug: `company-${numberOf(urn)}`,
  name: `Company ${numberOf(urn)}`,
  linkedinUrl: `https://www.linkedin.com/company/company-${numberOf(urn)}`,
  website: `https://company${numberOf(urn)}.example`,
  industry: 'Software',
  industryId: null,
  employeeCount: 100,
  staffRange: null,
  headquarters: null,
  description: null,
  foundedYear: null,
  followerCount: null,
  specialties: [],
  logoUrl: null,
  coverUrl: null,
})

/** People and companies, found by their URNs; `onProfile` hears of every person that is looked up. */
export const networkOfPeople = (onProfile: () => void = () => {}): Network => ({
  ...notAsked,
  profile: async (who) => {
    onProfile()
    return profileOf('urn' in who ? who.urn : 'ACoAA0')
  },
  company: async (which) => companyOf('urn' in which ? which.urn : 'urn:li:company:0'),
})
