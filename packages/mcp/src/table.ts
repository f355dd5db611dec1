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
      'Lists captured people, newest first: leads (one row per engagement), people (one row per person) or raw ' +
      '(never enriched leads). With view=why and leadId, explains why a lead was not delivered and what would ' +
      'change it.',
    selectors: [{ name: 'view', default: 'leads' }],
    operations: { leads: 'listLeads', people: 'listEngagers', raw: 'listRawLeads', why: 'explainLead' },
  },
  {
    name: 'list_sources',
    title: 'List tracked sources',
    toolsets: ['sources', 'leads', 'keyword'],
    description:
      'Lists tracked sources with settings and last run (list), people that several sources pay for (overlap), ' +
      "declared and captured engagement of a source's posts (coverage), or how fast engagement is delivered " +
      '(freshness). A source id is the profileId of its leads.',
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
    description: "Reads the progress of a source's capture and why it ended. Poll until isFinal is true.",
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
      'Reads a job (poll until completed or failed), a push of leads (poll until finished), or deliveries to ' +
      'webhooks.',
    selectors: [{ name: 'of', default: 'job' }],
    operations: { job: 'getJobStatus', push: 'getPush', deliveries: 'listWebhookDeliveries' },
  },
  {
    name: 'track_source',
    title: 'Track a person, company or post',
    toolsets: ['sources'],
    description: `Captures the people who engage every day (${creditAPerson}), or only posts with mode posts_only.`,
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
    description: 'Queues a job that looks up a captured person or a company, without tracking them.',
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
    description: 'Stops capturing from a source or search. Leads are kept; credits are not refunded.',
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
      "Reads where a source's leads are sent and which leads fit the ideal customer profile. outreach works by " +
      'source only.',
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
      'Partially updates the webhook or ICP criteria of a source (dryRun tests them without saving), or sets its ' +
      'campaign (by source only; null removes it).',
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
    description: 'Sends leads captured before. No lead is sent twice. Free.',
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
    description:
      'Lists posts that a posts-only source stored or a search kept (swept: also discarded posts, with reasons). ' +
      'Free.',
    selectors: [{ name: 'of', default: 'watch' }],
    operations: { watch: 'listSourcePosts', search: 'listKeptPosts' },
  },
  {
    name: 'fetch_posts',
    title: 'Fetch posts from the network',
    toolsets: ['sources'],
    description:
      'Reads posts, reactions or comments. Free for tracked sources; untracked reads cost one credit per post ' +
      'returned.',
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
    description: 'Returns the member id of a public handle, for search filters. Free.',
    selectors: [],
    operations: { '': 'resolveProfileUrn' },
    outside: true,
  },
  {
    name: 'save_keyword_search',
    title: 'Estimate, create or edit a keyword search',
    toolsets: ['keyword'],
    description:
      'Searches posts daily and captures their authors or engagers as leads. Call estimate first: it is free and ' +
      'changes nothing. create takes exactly one of keywords, keyword and expression.',
    selectors: [{ name: 'action' }],
    operations: { estimate: 'estimateKeyword', create: 'trackKeyword', edit: 'editKeyword' },
    effect: 'changes',
    outside: true,
  },
  {
    name: 'discover_people',
    title: 'Start or delete a people search',
    toolsets: ['discover'],
    description: 'Finds people who post about a topic. Costs one credit per person found.',
    selectors: [{ name: 'action', default: 'start' }],
    operations: { start: 'startDiscover', delete: 'deleteDiscoverRun' },
    effect: 'removes',
    outside: true,
  },
  {
    name: 'get_discover_runs',
    title: 'Read people searches',
    toolsets: ['discover'],
    description: 'Lists all runs, or reads one run with the people it found.',
    selectors: [{ name: 'of', default: 'all' }],
    operations: { all: 'listDiscoverRuns', one: 'getDiscoverRun' },
  },
  {
    name: 'get_agent',
    title: 'Read the agent or its leads',
    toolsets: ['agent'],
    description: 'Reads the Engagement Agent of a website, or its leads ranked by fit and signal.',
    selectors: [{ name: 'what', default: 'agent' }],
    operations: { agent: 'getAgent', leads: 'listAgentLeads' },
  },
  {
    name: 'save_agent',
    title: 'Create or edit an agent',
    toolsets: ['agent'],
    description: 'Sets the profile, topics, daily credits and delivery of an agent. Starts nothing.',
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
    description:
      "start launches daily searches and a people search within dailyCredits; stop untracks the agent's sources.",
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
      'Reads whether the outreach platform is connected, its campaigns, the cost of replies and meetings ' +
      '(results, by groupBy), or changes to ICP criteria that results suggest (suggestions).',
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
    title: 'Send leads, or record their results',
    toolsets: ['outreach', 'leads'],
    description:
      'send: sends leads or people to a campaign, which may contact them; ask the user first. record: records ' +
      'replies, meetings, wins or refusals. Free.',
    selectors: [{ name: 'action', default: 'send' }],
    operations: { send: 'sendLeads', record: 'recordResults' },
    outside: true,
  },
  {
    name: 'export_leads',
    title: 'Export leads as a file',
    toolsets: ['leads'],
    description:
      "Starts an export of leads as CSV or JSONL, or follows it until done. The file's URL then works without a " +
      'key for 24 hours.',
    selectors: [{ name: 'action', default: 'create' }],
    operations: { create: 'createExport', follow: 'getExport' },
  },
  {
    name: 'get_destinations',
    title: 'Read destinations',
    toolsets: ['destinations'],
    description:
      'Reads the CRMs, channels, sheets and buckets that receive leads: their state, deliveries, fields and ' +
      'connection.',
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
    description: 'Sends leads captured before, or retries refused deliveries. Follow the push with get_job of=push.',
    selectors: [{ name: 'what', default: 'leads' }],
    operations: { leads: 'pushDestination', again: 'retryDestinationDelivery' },
    outside: true,
    repeatable: true,
  },
  {
    name: 'privacy',
    title: 'Find, export or erase a person; set how long leads are kept',
    toolsets: ['privacy'],
    description:
      'Finds people the team holds data about (search), exports all data about one (export), and lists erasures ' +
      'and receipts. erase permanently deletes a person and blocks them, and set_retention deletes older leads: ' +
      'ask the user first. object only stops deliveries to a person.',
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
    title: 'Add or remove exclusions',
    toolsets: ['leads', 'outreach'],
    description:
      'Adds or removes entries for people who are never delivered, or sets the other exclusion rules. dryRun ' +
      'stores nothing.',
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
      'Reads the credit balance, credits charged, the lines of the ledger (including free items and why), its ' +
      'sums, a monthly statement, the API keys (masked), or the exclusions.',
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
    description: 'Disputes a wrong charge. Some charges are credited at once; the operator decides the others.',
    selectors: [],
    operations: { '': 'disputeCharge' },
    effect: 'changes',
  },
  {
    name: 'manage_keys',
    title: 'Create or revoke API keys',
    toolsets: ['account'],
    description:
      'Creates an API key (shown once, with showSecret), revokes one at once, or replaces the secret URL for ' +
      'outreach results. Not available to apps connected by sign-in.',
    selectors: [{ name: 'action' }],
    operations: { create: 'createKey', revoke: 'revokeKey', replace_results_address: 'rotateResultsSecret' },
    effect: 'removes',
  },
]
