/**
 * Maps tools to operations. `operations` maps selector values (joined by a space, in order) to an operation id. A generated
 * test names every operation that no tool carries.
 */
import { creditAPerson, sourceSettingNames, type OperationId } from '@les/contract'

/** Groups of tools that a caller selects with `?toolsets=`. */
export const toolsets = [
  'leads',
  'sources',
  'keyword',
  'discover',
  'agent',
  'outreach',
  'destinations',
  'privacy',
  'account',
] as const

export type Toolset = (typeof toolsets)[number]

/** A tool as data; arguments and answers come from its operations. */
export type ToolEntry = {
  readonly name: string
  readonly title: string
  /** The first is its home; the tool is offered when any of them is selected. */
  readonly toolsets: readonly Toolset[]
  readonly description: string
  /** Arguments that choose the operation, with a default for a missing one. */
  readonly selectors: readonly { readonly name: string; readonly default?: string }[]
  /** Selector values to operation id; without selectors, one entry with an empty key. */
  readonly operations: Readonly<Record<string, OperationId>>
  readonly preset?: Readonly<Record<string, unknown>>
  /** Fields that another tool offers. */
  readonly omit?: readonly string[]
  /** `removes`: its writes may take something away (destructive); `changes` and absent do not. */
  readonly effect?: 'changes' | 'removes'
  /** Idempotent. */
  readonly repeatable?: boolean
  /** Reaches the network, a webhook or the outreach platform. */
  readonly outside?: boolean
}

const by = { name: 'by', default: 'source' } as const

export const toolTable: readonly ToolEntry[] = [
  {
    name: 'search_leads',
    title: 'Search leads',
    toolsets: ['leads'],
    description:
      'Captured people, newest first: leads (one row an engagement), people (one row a person) or raw (never enriched); or why one lead was not delivered, and what would change it (why, with leadId).',
    selectors: [{ name: 'view', default: 'leads' }],
    operations: { leads: 'listLeads', people: 'listEngagers', raw: 'listRawLeads', why: 'explainLead' },
  },
  {
    name: 'list_sources',
    title: 'List tracked sources',
    toolsets: ['sources', 'leads', 'keyword'],
    description:
      'What the team tracks, with settings and last run; whom several sources pay for (overlap), what posts of one declare and what was captured (coverage), or how fast engagement is delivered (freshness). A source id is the profileId of leads.',
    selectors: [{ name: 'view', default: 'list' }],
    operations: {
      list: 'listSources',
      overlap: 'getSourceOverlap',
      coverage: 'getSourceCoverage',
      freshness: 'getFreshness',
    },
  },
  {
    name: 'get_sync_status',
    title: 'Follow a sync',
    toolsets: ['sources', 'keyword', 'leads'],
    description: 'How far the capture of a source has come and why it ended. Poll until isFinal is true.',
    selectors: [by],
    operations: {
      source: 'getSourceSync',
      person: 'getProfileSync',
      company: 'getCompanySync',
      keyword: 'getKeywordSync',
    },
  },
  {
    name: 'get_job',
    title: 'Read a job, push or deliveries',
    toolsets: ['sources', 'leads', 'agent'],
    description:
      'The state of a job (until completed or failed) or a push of leads (until finished), or deliveries to webhooks.',
    selectors: [{ name: 'of', default: 'job' }],
    operations: { job: 'getJobStatus', push: 'getPush', deliveries: 'listWebhookDeliveries' },
  },
  {
    name: 'track_source',
    title: 'Track a person, company or post',
    toolsets: ['sources'],
    description: `Captures daily the people who engage (${creditAPerson}), or posts with mode posts_only.`,
    selectors: [{ name: 'kind' }],
    operations: { person: 'enrichProfile', company: 'enrichCompany', post: 'trackPost' },
    preset: { saveTrackedProfile: true },
    outside: true,
    repeatable: true,
  },
  {
    name: 'enrich',
    title: 'Enrich captured leads once',
    toolsets: ['sources', 'leads'],
    description: 'Queues a job that looks up a person who is a lead, or a company, without tracking them.',
    selectors: [{ name: 'kind', default: 'person' }],
    operations: { person: 'enrichProfile', company: 'enrichCompany' },
    omit: ['saveTrackedProfile', 'confirmSpend', ...sourceSettingNames],
    outside: true,
    repeatable: true,
  },
  {
    name: 'edit_source',
    title: 'Edit or sync a source',
    toolsets: ['sources'],
    description: 'Changes the settings of a tracked person or company, or syncs a source now (charged like any sync).',
    selectors: [{ name: 'action' }],
    operations: { edit_person: 'editProfile', edit_company: 'editCompany', sync_now: 'startSourceSync' },
    outside: true,
  },
  {
    name: 'untrack_source',
    title: 'Stop tracking',
    toolsets: ['sources', 'keyword'],
    description: 'Ends the capture of a source or search. Leads are kept, credits not refunded.',
    selectors: [{ name: 'kind' }],
    operations: { person: 'untrackProfile', company: 'untrackCompany', post: 'untrackPost', keyword: 'untrackKeyword' },
    effect: 'removes',
    repeatable: true,
  },
  {
    name: 'get_delivery_settings',
    title: 'Read webhook, ICP and outreach',
    toolsets: ['sources', 'leads', 'outreach'],
    description:
      'Where leads of a source go, and which of them fit the ideal customer profile. outreach is by source only.',
    selectors: [{ name: 'settings' }, by],
    operations: {
      'webhook source': 'getSourceWebhook',
      'webhook person': 'getProfileWebhook',
      'webhook company': 'getCompanyWebhook',
      'webhook keyword': 'getKeywordWebhook',
      'icp source': 'getSourceIcp',
      'icp person': 'getProfileIcp',
      'icp company': 'getCompanyIcp',
      'icp keyword': 'getKeywordIcp',
      'outreach source': 'getSourceOutreach',
    },
  },
  {
    name: 'configure_delivery',
    title: 'Set webhook, ICP and outreach',
    toolsets: ['sources', 'leads', 'outreach'],
    description:
      'Partly updates webhook or ICP criteria of a source (dryRun tries them without saving), ' +
      'or sets its campaign (by source only; null removes it).',
    selectors: [{ name: 'settings' }, by],
    operations: {
      'webhook source': 'updateSourceWebhook',
      'webhook person': 'updateProfileWebhook',
      'webhook company': 'updateCompanyWebhook',
      'webhook keyword': 'updateKeywordWebhook',
      'icp source': 'updateSourceIcp',
      'icp person': 'updateProfileIcp',
      'icp company': 'updateCompanyIcp',
      'icp keyword': 'updateKeywordIcp',
      'outreach source': 'updateSourceOutreach',
    },
    effect: 'changes',
    repeatable: true,
    outside: true,
  },
  {
    name: 'push_leads',
    title: 'Push leads to the webhook',
    toolsets: ['leads', 'sources', 'agent'],
    description: 'Sends leads captured before. None is sent twice. Free.',
    selectors: [by],
    operations: {
      source: 'pushSource',
      person: 'pushProfile',
      company: 'pushCompany',
      keyword: 'pushKeyword',
      agent: 'pushAgent',
    },
    outside: true,
    repeatable: true,
  },
  {
    name: 'list_posts',
    title: 'List stored posts',
    toolsets: ['sources', 'keyword'],
    description: 'Posts that a posts-only watch stored or a search kept (swept: also those it dropped, and why). Free.',
    selectors: [{ name: 'of', default: 'watch' }],
    operations: { watch: 'listSourcePosts', search: 'listKeptPosts' },
  },
  {
    name: 'fetch_posts',
    title: 'Fetch posts from the network',
    toolsets: ['sources'],
    description: 'Free of tracked sources; untracked reads cost one credit a post returned.',
    selectors: [{ name: 'what' }],
    operations: {
      posts_of_person: 'fetchProfilePosts',
      posts_of_company: 'fetchCompanyPosts',
      reactions: 'fetchPostReactions',
      comments: 'fetchPostComments',
      company_comments: 'fetchCompanyPostComments',
      untracked_person: 'readProfilePosts',
      untracked_company: 'readCompanyPosts',
    },
    outside: true,
  },
  {
    name: 'resolve_person',
    title: 'Resolve a handle',
    toolsets: ['sources', 'keyword'],
    description: 'The member id of a public handle, for search filters. Free.',
    selectors: [],
    operations: { '': 'resolveProfileUrn' },
    outside: true,
  },
  {
    name: 'save_keyword_search',
    title: 'Estimate, create or edit a keyword search',
    toolsets: ['keyword'],
    description:
      'A daily search of posts whose authors or engagers become leads. estimate is free and changes nothing: ' +
      'do it first. create takes exactly one of keywords, keyword and expression.',
    selectors: [{ name: 'action' }],
    operations: { estimate: 'estimateKeyword', create: 'trackKeyword', edit: 'editKeyword' },
    effect: 'changes',
    outside: true,
  },
  {
    name: 'discover_people',
    title: 'Start or delete a people search',
    toolsets: ['discover'],
    description: 'Finds people who post about a topic; one credit a person found.',
    selectors: [{ name: 'action', default: 'start' }],
    operations: { start: 'startDiscover', delete: 'deleteDiscoverRun' },
    effect: 'removes',
    outside: true,
  },
  {
    name: 'get_discover_runs',
    title: 'Read people searches',
    toolsets: ['discover'],
    description: 'All runs, or one with the people it found.',
    selectors: [{ name: 'of', default: 'all' }],
    operations: { all: 'listDiscoverRuns', one: 'getDiscoverRun' },
  },
  {
    name: 'get_agent',
    title: 'Read the agent or its leads',
    toolsets: ['agent'],
    description: 'The Engagement Agent of a website, or its leads ranked by fit and signal.',
    selectors: [{ name: 'what', default: 'agent' }],
    operations: { agent: 'getAgent', leads: 'listAgentLeads' },
  },
  {
    name: 'save_agent',
    title: 'Create or edit an agent',
    toolsets: ['agent'],
    description: 'Profile, topics, daily credits and delivery of an agent. Starts nothing.',
    selectors: [],
    operations: { '': 'updateAgent' },
    effect: 'changes',
    repeatable: true,
    outside: true,
  },
  {
    name: 'run_agent',
    title: 'Start or stop an agent',
    toolsets: ['agent'],
    description: 'start launches daily searches and a people search within dailyCredits; stop ends them.',
    selectors: [{ name: 'action' }],
    operations: { start: 'startAgent', stop: 'stopAgent' },
    effect: 'removes',
    repeatable: true,
    outside: true,
  },
  {
    name: 'get_outreach',
    title: 'Read outreach and its results',
    toolsets: ['outreach', 'leads'],
    description:
      'Whether the outreach platform is connected, its campaigns, what replies and meetings have cost (results, by groupBy), ' +
      'or changes of ICP criteria that they speak for (suggestions).',
    selectors: [{ name: 'what', default: 'connection' }],
    operations: {
      connection: 'getOutreach',
      campaigns: 'listCampaigns',
      results: 'getResultsSummary',
      suggestions: 'listResultSuggestions',
    },
    outside: true,
  },
  {
    name: 'send_to_outreach',
    title: 'Send leads, or record what came of them',
    toolsets: ['outreach', 'leads'],
    description:
      'send: sends leads or people to a campaign, which may contact them: ask the user first. ' +
      'record: notes replies, meetings, wins or refusals of people. Free.',
    selectors: [{ name: 'action', default: 'send' }],
    operations: { send: 'sendLeads', record: 'recordResults' },
    outside: true,
  },
  {
    name: 'export_leads',
    title: 'Export leads as a file',
    toolsets: ['leads'],
    description:
      'Begins a CSV or JSONL file of leads, or follows one until done: its address then needs no key for 24 hours.',
    selectors: [{ name: 'action', default: 'create' }],
    operations: { create: 'createExport', follow: 'getExport' },
  },
  {
    name: 'get_destinations',
    title: 'Read destinations',
    toolsets: ['destinations'],
    description: 'CRMs, channels, sheets and buckets that leads go to: their state, deliveries, fields and connection.',
    selectors: [{ name: 'what', default: 'all' }],
    operations: {
      all: 'listDestinations',
      one: 'getDestination',
      deliveries: 'listDestinationDeliveries',
      fields: 'listDestinationFields',
      hooks: 'listHooks',
      hookSample: 'sampleHook',
    },
    outside: true,
  },
  {
    name: 'configure_destination',
    title: 'Set up a destination',
    toolsets: ['destinations'],
    description: 'Adds, changes, pauses, resumes or deletes a destination, checks its connection or sends it a sample.',
    selectors: [{ name: 'action' }],
    operations: {
      create: 'createDestination',
      update: 'updateDestination',
      delete: 'deleteDestination',
      check: 'checkDestination',
      test: 'testDestination',
      subscribe: 'createHook',
      unsubscribe: 'deleteHook',
    },
    effect: 'removes',
    outside: true,
  },
  {
    name: 'push_to_destination',
    title: 'Push leads to a destination',
    toolsets: ['destinations', 'leads'],
    description: 'Sends captured leads from before, or what was refused again. Follow it with get_job of=push.',
    selectors: [{ name: 'what', default: 'leads' }],
    operations: { leads: 'pushDestination', again: 'retryDestinationDelivery' },
    outside: true,
    repeatable: true,
  },
  {
    name: 'privacy',
    title: 'Find, export or erase a person; how long leads are kept',
    toolsets: ['privacy'],
    description:
      'Whom the team holds something of (search), everything held of one (export), erasures and their receipts. ' +
      'erase deletes a person for good and blocks them, set_retention has older leads deleted: ask the user first. ' +
      'object only stops deliveries to them.',
    selectors: [{ name: 'action', default: 'search' }],
    operations: {
      search: 'searchPeople',
      export: 'exportPerson',
      erase: 'createErasure',
      object: 'createObjection',
      erasures: 'listErasures',
      erasure: 'getErasure',
      retention: 'getRetention',
      set_retention: 'updateRetention',
    },
    effect: 'removes',
    repeatable: true,
    outside: true,
  },
  {
    name: 'edit_exclusions',
    title: 'Exclude people, or lift it',
    toolsets: ['leads', 'outreach'],
    description:
      'Adds or removes entries of who is never delivered, or sets what excludes besides. dryRun stores nothing.',
    selectors: [{ name: 'action' }],
    operations: { add: 'addExclusions', remove: 'removeExclusion', settings: 'updateExclusionSettings' },
    effect: 'removes',
    repeatable: true,
  },
  {
    name: 'get_account',
    title: 'Read credits, keys and exclusions',
    toolsets: ['account'],
    description:
      'The credit balance, what was charged, every line of the ledger (also what was free, and why), its sums, the statement of a month, ' +
      'the API keys (masked), or who is excluded from delivery.',
    selectors: [{ name: 'what', default: 'credits' }],
    operations: {
      credits: 'getCredits',
      usage: 'getCreditsUsage',
      ledger: 'listLedgerEntries',
      summary: 'getLedgerSummary',
      statement: 'getCreditStatement',
      keys: 'listKeys',
      exclusions: 'listExclusions',
      exclusion_settings: 'getExclusionSettings',
    },
    omit: ['format'],
  },
  {
    name: 'dispute_charge',
    title: 'Dispute a charge',
    toolsets: ['account'],
    description: 'Say that a charge should not have been: some are credited at once, others the operator decides.',
    selectors: [],
    operations: { '': 'disputeCharge' },
    effect: 'changes',
  },
  {
    name: 'manage_keys',
    title: 'Make or revoke API keys',
    toolsets: ['account'],
    description:
      'Makes a key (its text is shown once, with showSecret) or revokes one at once, or replaces the secret address of ' +
      'outreach results. Not for apps connected by sign-in.',
    selectors: [{ name: 'action' }],
    operations: { create: 'createKey', revoke: 'revokeKey', replace_results_address: 'rotateResultsSecret' },
    effect: 'removes',
  },
]
