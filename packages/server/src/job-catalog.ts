/**
 * Every kind of background work. Rows are the truth; a job of the queue is only a nudge saying that there may be work of a
 * kind, so it carries nothing, and losing or doubling one is harmless: a periodic sweep nudges whatever is due.
 */

/** What a kind of work is and how many units of it one process works on at once. */
export type JobKindRow = { readonly about: string; readonly concurrency: number }

/** The catalog. */
export const jobCatalog = {
  capture: { about: 'one vendor page of the sync whose team was served longest ago', concurrency: 6 },
  keyword: {
    about:
      'one page of posts found, or one question to the AI, for the keyword search whose team was served longest ago',
    concurrency: 4,
  },
  enrichment: { about: "one person's facts", concurrency: 8 },
  enrich_job: { about: 'one enrichment asked for over the API', concurrency: 4 },
  posts_job: { about: 'one page of posts asked for over the API', concurrency: 4 },
  delivery: { about: 'deliveries that are due, many at once', concurrency: 2 },
  outreach: { about: 'up to a hundred people sent to a campaign, or looked up in one', concurrency: 2 },
  rescore: { about: 'a batch of leads judged again by criteria that were saved', concurrency: 1 },
  discover: {
    about:
      'one page of posts, four profiles or one batch of people of the search for people whose team was served longest ago',
    concurrency: 4,
  },
  agent: { about: 'watching some of the people that the search of an agent has found', concurrency: 2 },
  clock: { about: 'one look at what is due by itself', concurrency: 1 },
} as const satisfies Record<string, JobKindRow>

/** The name of a kind of background work. */
export type JobKind = keyof typeof jobCatalog

/** Every kind. */
export const jobKinds = Object.keys(jobCatalog) as readonly JobKind[]
