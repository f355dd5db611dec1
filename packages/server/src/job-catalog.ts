/**
 * Every kind of background work; `worker/works.ts` says what each works on. A nudge carries only the kind: rows are the truth,
 * and workers sweep for due work, so a lost or doubled nudge is harmless.
 */

/** All kinds. */
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

/** A kind of background work. */
export type JobKind = (typeof jobKinds)[number]

/** `concurrency`: how many units one process works on at once. */
type JobKindRow = { readonly about: string; readonly concurrency: number }

/** What each kind works on, in words, and its concurrency. */
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

/** Makes a value for every kind; a missing kind does not compile. */
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
