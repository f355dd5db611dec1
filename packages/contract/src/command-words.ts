/** How the command line names things: which words call which operation, nouns and then a verb, and which flag carries which field. */
import type { Operation } from './operation.ts'

/** The words of a command, for example `['profile', 'webhook', 'get']`. */
export type Words = readonly [string, ...string[]]

/** Operations whose words the rule below would not get right. */
const named: Readonly<Record<string, Words>> = {
  getProfileSync: ['profile', 'sync'],
  getCompanySync: ['company', 'sync'],
  getSourceSync: ['sources', 'status'],
  startSourceSync: ['sources', 'sync'],
  untrackProfile: ['profile', 'untrack'],
  untrackCompany: ['company', 'untrack'],
  resolveProfileUrn: ['profile', 'urn'],
  getCredits: ['credits', 'show'],
  getCreditsUsage: ['credits', 'usage'],
  listLedgerEntries: ['credits', 'ledger'],
  getLedgerSummary: ['credits', 'summary'],
  getCreditStatement: ['credits', 'statement'],
  disputeCharge: ['credits', 'dispute'],
  getSourceOverlap: ['sources', 'overlap'],
  getSourceCoverage: ['sources', 'coverage'],
  getFreshness: ['sources', 'freshness'],
  getJobStatus: ['jobs', 'get'],
  getKeywordSync: ['keyword', 'sync'],
  listKeptPosts: ['sources', 'kept-posts'],
  listSourcePosts: ['sources', 'posts'],
  listRawLeads: ['leads', 'raw'],
  explainLead: ['leads', 'why'],
  getOutreach: ['outreach', 'get'],
  listCampaigns: ['outreach', 'campaigns'],
  sendLeads: ['outreach', 'send'],
  createExport: ['exports', 'create'],
  getExport: ['exports', 'get'],
  createDestination: ['destinations', 'create'],
  listDestinations: ['destinations', 'list'],
  getDestination: ['destinations', 'get'],
  updateDestination: ['destinations', 'update'],
  deleteDestination: ['destinations', 'delete'],
  testDestination: ['destinations', 'test'],
  checkDestination: ['destinations', 'check'],
  pushDestination: ['destinations', 'push'],
  listDestinationDeliveries: ['destinations', 'deliveries'],
  retryDestinationDelivery: ['destinations', 'retry'],
  listDestinationFields: ['destinations', 'fields'],
  createHook: ['hooks', 'create'],
  listHooks: ['hooks', 'list'],
  deleteHook: ['hooks', 'delete'],
  sampleHook: ['hooks', 'sample'],
  searchPeople: ['privacy', 'people', 'search'],
  exportPerson: ['privacy', 'people', 'export'],
  listAgentLeads: ['agent', 'leads'],
  getResultsSummary: ['results', 'summary'],
  listResultSuggestions: ['results', 'suggestions'],
  rotateResultsSecret: ['outreach', 'results-secret'],
  listWebhookDeliveries: ['webhooks', 'deliveries'],
  addExclusions: ['exclusions', 'create'],
}

const verbs: Readonly<Record<string, string>> = { update: 'edit', read: 'get' }

/**
 * The rule for every other operation: the words of its path are the nouns, the first word of its id is the verb, said once
 * (`/enrich/profile` + `enrichProfile` is `enrich profile`; `/keyword/{id}/webhook` + `getKeywordWebhook` is `keyword webhook get`).
 */
function byRule({ id, path, method }: Operation): Words {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const first = /^[a-z]+/.exec(id)?.[0] ?? 'call'
  const verb = method === 'PUT' && first === 'update' ? 'set' : (verbs[first] ?? first)
  const words = nouns.includes(verb) ? nouns : [...nouns, verb]
  return words as unknown as Words
}

/** The words of any operation: there is none without. */
export function wordsOf(operation: Operation): Words {
  return named[operation.id] ?? byRule(operation)
}

/** The flag of a field, without its dashes: kebab-case (CLI-02). */
export function flagName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}
