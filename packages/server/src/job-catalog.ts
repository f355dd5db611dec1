/**
 * Every kind of background work; `worker/works.ts` says what each works on. A nudge carries only the kind: rows are the truth,
 * and workers sweep for due work, so a lost or doubled nudge is harmless.
 */

/** What each kind works on, in words; `concurrency`: how many units one process works on at once. */
export const jobCatalog = {
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
  discover: { about: 'one page of posts, four profiles or one batch of people of a search for people', concurrency: 4 },
  agent: { about: 'watching some of the people that the search of an agent has found', concurrency: 2 },
  ranking: { about: 'some of the people of an agent, judged again because facts have changed', concurrency: 1 },
  send: { about: 'a part of a send that a person has started', concurrency: 2 },
  results: { about: 'what the outreach platform has told, and how far people of its campaigns are', concurrency: 2 },
} as const satisfies Readonly<Record<string, { readonly about: string; readonly concurrency: number }>>

export type JobKind = keyof typeof jobCatalog

export const jobKinds = Object.keys(jobCatalog) as readonly JobKind[]

/** Makes a value for every kind. */
export const eachKind = <T>(make: (kind: JobKind) => T): Readonly<Record<JobKind, T>> =>
  Object.fromEntries(jobKinds.map((kind) => [kind, make(kind)])) as Record<JobKind, T>
