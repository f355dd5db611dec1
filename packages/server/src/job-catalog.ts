/**
 * Every kind of background work. Rows are the truth; a nudge only says that there may be work of a kind, so it carries nothing, and
 * losing or doubling one is harmless: each worker sweeps for whatever is due. What a kind works on is in `worker/works.ts`.
 */

/** Every kind. */
export const jobKinds = [
  'capture',
  'keyword',
  'enrichment',
  'enrich_job',
  'posts_job',
  'delivery',
  'push',
  'destination',
  'export',
  'outreach',
  'rescore',
  'discover',
  'agent',
  'ranking',
  'send',
  'results',
] as const

/** The name of a kind of background work. */
export type JobKind = (typeof jobKinds)[number]

/** What a kind of work is and how many units of it one process works on at once. */
type JobKindRow = { readonly about: string; readonly concurrency: number }

export const jobCatalog: Readonly<Record<JobKind, JobKindRow>> = {
  capture: { about: 'one vendor page of a sync', concurrency: 6 },
  keyword: { about: 'one page of posts found, or one question to the AI, for a keyword search', concurrency: 4 },
  enrichment: { about: 'the facts of several people of a team', concurrency: 2 },
  enrich_job: { about: 'one enrichment asked for over the API', concurrency: 4 },
  posts_job: { about: 'one page of posts asked for over the API', concurrency: 4 },
  delivery: { about: 'deliveries that are due, many at once', concurrency: 2 },
  push: { about: 'some of the leads of a push of many, queued for delivery', concurrency: 1 },
  destination: { about: 'a batch of people delivered to a destination', concurrency: 4 },
  export: { about: 'a part of a file of leads', concurrency: 1 },
  outreach: { about: 'up to a hundred people sent to a campaign, or looked up in one', concurrency: 2 },
  rescore: { about: 'a batch of leads judged again by criteria that were saved', concurrency: 1 },
  discover: {
    about: 'one page of posts, four profiles or one batch of people of a search for people',
    concurrency: 4,
  },
  agent: { about: 'watching some of the people that the search of an agent has found', concurrency: 2 },
  ranking: {
    about: 'some of the people of an agent, judged again because what is known of them has changed',
    concurrency: 1,
  },
  send: { about: 'a part of a send that a person has started', concurrency: 2 },
  results: {
    about: 'what the outreach platform has told a team, and how far people of its campaigns are',
    concurrency: 2,
  },
}

/** Makes something for every kind. A kind that is added and left out here does not compile. */
export const eachKind = <T>(make: (kind: JobKind) => T): Readonly<Record<JobKind, T>> => ({
  capture: make('capture'),
  keyword: make('keyword'),
  enrichment: make('enrichment'),
  enrich_job: make('enrich_job'),
  posts_job: make('posts_job'),
  delivery: make('delivery'),
  push: make('push'),
  destination: make('destination'),
  export: make('export'),
  outreach: make('outreach'),
  rescore: make('rescore'),
  discover: make('discover'),
  agent: make('agent'),
  ranking: make('ranking'),
  send: make('send'),
  results: make('results'),
})
