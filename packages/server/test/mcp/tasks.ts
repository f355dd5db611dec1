/** Jobs in words, and what a sensible assistant does with the tools for each: a scripted stand-in for a model. */
import type { Called } from './client.ts'

/** What the stand-in works with. */
export type Stand = {
  /** A tracked person with leads, by handle and source id. */
  readonly author: string
  readonly sourceId: string
  /** A person nobody tracks yet. */
  handle(): string
  /** An address that takes webhooks. */
  readonly hook: string
  call(tool: string, input?: Record<string, unknown>): Promise<Called>
  /** A call that may cost: says yes to its quote when that is at most so many credits; null when it is more, and nothing was done. */
  spend(tool: string, input: Record<string, unknown>, atMost: number): Promise<Called | null>
  /** Lets the work that was begun be done. */
  work(): Promise<void>
}

/** One job: the words, the bounds it must keep, and what is done; it answers true when the job was done as asked. */
export type Task = {
  readonly words: string
  readonly calls: number
  readonly tokens: number
  readonly credits: number
  /** Done in every run of the tests; the others in the long one. */
  readonly usual?: true
  readonly run: (stand: Stand) => Promise<boolean>
}

const fine = ({ isError }: Called): boolean => !isError
const read = (words: string, tool: string, input: Record<string, unknown> = {}, tokens = 2_500): Task => ({
  words,
  calls: 1,
  tokens,
  credits: 0,
  run: async ({ call }) => fine(await call(tool, input)),
})
const watch = (username: string, postsPerSync: number) => ({
  kind: 'person',
  username,
  mode: 'posts_only',
  postsPerSync,
})
const ofAuthor = (words: string, tool: string, more: Record<string, unknown>, tokens = 2_500): Task => ({
  words,
  calls: 1,
  tokens,
  credits: 0,
  run: async ({ call, author }) => fine(await call(tool, { username: author, ...more })),
})
const keywords = { keywords: ['revenue operations'], creditCap: 20, captureMode: 'depth', datePosted: 'PAST_WEEK' }

/** The 25 jobs. */
export const tasks: readonly Task[] = [
  {
    words: 'Track these three people, tell me tomorrow’s cost, stop if above 50',
    calls: 3,
    tokens: 1_500,
    credits: 45,
    usual: true,
    run: async ({ call, handle }) => {
      // Three caps of 15 are 45 a day at most.
      for (let count = 0; count < 3; count++) {
        const tracked = await call('track_source', { kind: 'person', username: handle(), creditCapPerSync: 15 })
        if (tracked.isError) return false
      }
      return true
    },
  },
  {
    words: 'Watch the posts of this person, up to 30 a day, unless that costs more than 20',
    calls: 2,
    tokens: 1_500,
    credits: 0,
    usual: true,
    run: async ({ call, spend, handle }) => {
      const username = handle()
      if ((await spend('track_source', watch(username, 30), 20)) !== null) return false
      return (await call('get_sync_status', { by: 'person', username })).isError
    },
  },
  {
    words: 'Watch up to 7 posts a day of this person',
    calls: 2,
    tokens: 1_500,
    credits: 7,
    usual: true,
    run: async ({ spend, handle }) => (await spend('track_source', watch(handle(), 7), 7))?.isError === false,
  },
  { ...read('How many credits do we have left?', 'get_account', {}, 300), usual: true },
  { ...read('Who engaged last?', 'search_leads'), usual: true },
  read('What did we spend, and on what?', 'get_account', { what: 'usage' }, 1_000),
  read('Which keys do we have?', 'get_account', { what: 'keys' }, 500),
  read('What do we track?', 'list_sources', {}, 4_000),
  read('One row a person, please', 'search_leads', { view: 'people' }),
  read('Only those who commented', 'search_leads', { engagementType: 'Comment' }),
  read('Show the raw leads', 'search_leads', { view: 'raw' }),
  read('Is the outreach platform connected?', 'get_outreach', {}, 500),
  read('What does the agent do?', 'get_agent', {}, 1_500),
  read('Which people searches did we run?', 'get_discover_runs', {}, 1_500),
  ofAuthor('Is the capture of this person done?', 'get_sync_status', { by: 'person' }, 1_000),
  ofAuthor('Where do leads of this person go?', 'get_delivery_settings', { settings: 'webhook', by: 'person' }, 800),
  ofAuthor('Which leads of this person fit us?', 'get_delivery_settings', { settings: 'icp', by: 'person' }, 800),
  ofAuthor(
    'Never more than ten new people of this person a sync',
    'edit_source',
    { action: 'edit_person', creditCapPerSync: 10 },
    1_500,
  ),
  {
    words: 'Send the leads of this person to our address, those captured before too, and tell me when they are there',
    calls: 3,
    tokens: 2_500,
    credits: 0,
    usual: true,
    run: async ({ call, author, hook, work }) => {
      const set = await call('configure_delivery', {
        settings: 'webhook',
        by: 'person',
        username: author,
        webhookUrl: hook,
      })
      const pushed = await call('push_leads', { by: 'person', username: author })
      await work()
      const told = await call('get_job', { of: 'push', pushId: pushed.data?.pushId })
      return [set, pushed, told].every(fine) && told.data.finished === true
    },
  },
  {
    words: 'What would a search for revenue operations cost?',
    calls: 1,
    tokens: 1_500,
    credits: 0,
    run: async ({ call }) => fine(await call('save_keyword_search', { action: 'estimate', ...keywords })),
  },
  {
    words: 'Run that search for at most 20 credits a day, and then stop it',
    calls: 3,
    tokens: 3_000,
    credits: 20,
    run: async ({ call, spend }) => {
      const made = await spend('save_keyword_search', { action: 'create', ...keywords }, 20)
      if (!made || made.isError) return false
      const id = made.data.sourceId ?? made.data.id
      return fine(await call('untrack_source', { kind: 'keyword', id }))
    },
  },
  {
    words: 'Find people who post about sales automation, for at most 25 credits',
    calls: 3,
    tokens: 6_000,
    credits: 25,
    run: async ({ call, spend, work }) => {
      const found = await spend('discover_people', { keywords: ['sales automation'], maxInfluencers: 25 }, 25)
      if (!found || found.isError) return false
      await work()
      return fine(await call('get_discover_runs', { of: 'one', id: found.data.id }))
    },
  },
  {
    words: 'Sync this source now',
    calls: 1,
    tokens: 800,
    credits: 10,
    run: async ({ call, sourceId }) => fine(await call('edit_source', { action: 'sync_now', id: sourceId })),
  },
  {
    words: 'Make a key for our CRM, and take it back again',
    calls: 2,
    tokens: 800,
    credits: 0,
    run: async ({ call }) => {
      const made = await call('manage_keys', { action: 'create', name: 'crm' })
      return fine(made) && fine(await call('manage_keys', { action: 'revoke', id: made.data.id }))
    },
  },
  {
    words: 'Stop tracking this person, and keep the leads',
    calls: 2,
    tokens: 4_000,
    credits: 0,
    run: async ({ call, author }) => {
      const stopped = await call('untrack_source', { kind: 'person', username: author })
      const kept = await call('search_leads', { includeInactive: true })
      return fine(stopped) && kept.data.leads.length > 0
    },
  },
]
