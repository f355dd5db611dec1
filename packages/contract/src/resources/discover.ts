/** Discover runs and the people they find (specification «Discover run»; G91, G92). */
import { z } from 'zod'
import { isoDateTime, uuid } from '../values/index.ts'

/** A run, without its people. */
export const discoverRun = z
  .object({
    id: uuid,
    state: z.enum(['running', 'done', 'failed']),
    keywords: z.array(z.string()),
    countries: z.array(z.string()).meta({ description: 'As cleaned; empty: people of every country.' }),
    minEngagement: z.number().int(),
    maxInfluencers: z.number().int(),
    found: z.number().int().meta({ description: 'People added so far, one credit each.' }),
    qualified: z
      .number()
      .int()
      .meta({
        description:
          'People who met the criteria; more than found when the run stopped at its limit or the balance ran out. ' +
          '0 until the posts are read and the profiles looked up.',
      }),
    countryChecked: z.number().int().meta({ description: 'People whose profile country was looked at.' }),
    countryMatched: z.number().int().meta({ description: 'Those whose country is in the list.' }),
    createdAt: isoDateTime,
    finishedAt: isoDateTime.nullable(),
    error: z.object({ code: z.string(), error: z.string() }).nullable().meta({
      description:
        'Why the run failed, or stopped early: insufficient_enriching_credits, provider_error, subscription_inactive, internal_error.',
    }),
  })
  .meta({ id: 'DiscoverRun' })

/** A person whom a run has added. */
export const influencer = z
  .object({
    name: z.string().nullable(),
    linkedinUrl: z.string(),
    avatarUrl: z.string().nullable(),
    jobTitle: z
      .string()
      .nullable()
      .meta({ description: 'Null until enrichment fills it; so are company and country.' }),
    company: z.string().nullable(),
    country: z.string().nullable(),
    highestEngagement: z.number().int().meta({ description: 'Reactions plus comments on the best matching post.' }),
    averageEngagement: z.number().meta({ description: 'Total engagement divided by the number of matching posts.' }),
    postCount: z.number().int(),
    totalEngagement: z.number().int(),
    topPostUrl: z.string(),
    topPostText: z.string().nullable(),
  })
  .meta({ id: 'Influencer' })

/** A run with its people, best average first. */
export const discoverRunWithPeople = discoverRun
  .extend({ influencers: z.array(influencer) })
  .meta({ id: 'DiscoverRunWithPeople' })
