/** Discover runs and the people they find (specification «Discover run»; G91, G92). */
import { z } from 'zod'
import { integer, isoDateTime, named, textOrNull, uuid } from '../values/index.ts'

export const discoverRun = named('DiscoverRun', {
  id: uuid,
  state: z.enum(['running', 'done', 'failed']),
  keywords: z.array(z.string()),
  countries: z.array(z.string()).describe('The cleaned list; empty: people of every country.'),
  minEngagement: integer,
  maxInfluencers: integer,
  found: integer.describe('People added so far, one credit each.'),
  qualified: integer.describe(
    'People who met the criteria. Greater than found when the run stopped at its limit or the balance ran out. 0 ' +
      'until posts are read and profiles are looked up.',
  ),
  countryChecked: integer.describe('People whose profile country was checked.'),
  countryMatched: integer.describe('People whose country is in the list.'),
  createdAt: isoDateTime,
  finishedAt: isoDateTime.nullable(),
  error: z
    .object({ code: z.string(), error: z.string() })
    .nullable()
    .describe(
      'Why the run failed or stopped early: insufficient_enriching_credits, provider_error, ' +
        'subscription_inactive, internal_error.',
    ),
})

export const influencer = named('Influencer', {
  name: textOrNull,
  linkedinUrl: z.string(),
  avatarUrl: textOrNull,
  jobTitle: textOrNull.describe('Null until enrichment fills it; so are company and country.'),
  company: textOrNull,
  country: textOrNull,
  highestEngagement: integer.describe('Reactions plus comments on the best matching post.'),
  averageEngagement: z.number().describe('Total engagement divided by the number of matching posts.'),
  postCount: integer,
  totalEngagement: integer,
  topPostUrl: z.string(),
  topPostText: textOrNull,
})

/** People are sorted by average engagement, highest first. */
export const discoverRunWithPeople = discoverRun
  .extend({ influencers: z.array(influencer) })
  .meta({ id: 'DiscoverRunWithPeople' })
