/** The topics of each read and write, in one table, so that no page forgets to refresh. */
import type { AnyId } from './types.ts'

/** The subjects of queries. Live updates cover all but `slow`: answers of vendors, and counts over all leads. */
export type Topic =
  | 'leads'
  | 'sources'
  | 'syncs'
  | 'keywords'
  | 'credits'
  | 'deliveries'
  | 'discover'
  | 'agent'
  | 'outreach'
  | 'people'
  | 'settings'
  | 'slow'

/** The topic whose live updates refresh each read; dry runs of writes are reads too. */
export const topicOf = {
  getExclusionSettings: 'leads',
  getExport: 'leads',
  getLeadDetail: 'leads',
  getRetention: 'leads',
  listErasures: 'leads',
  listExclusions: 'leads',
  listLeads: 'leads',
  listRawLeads: 'leads',
  searchPeople: 'leads',
  previewDefaults: 'sources',
  getDefaults: 'sources',
  getSourceCoverage: 'sources',
  getSourceHealth: 'sources',
  getSourceIcp: 'sources',
  listSourceHealth: 'sources',
  listSourceNames: 'sources',
  listSourcePosts: 'sources',
  listSources: 'sources',
  getSourceSync: 'syncs',
  listRuns: 'syncs',
  estimateKeyword: 'keywords',
  listKeptPosts: 'keywords',
  parseExpression: 'keywords',
  quoteCapture: 'credits',
  getBurn: 'credits',
  getCreditStatement: 'credits',
  getLedgerSummary: 'credits',
  listLedgerEntries: 'credits',
  listYield: 'credits',
  getDelivery: 'deliveries',
  getDestination: 'deliveries',
  getPush: 'deliveries',
  listDeliveries: 'deliveries',
  listDestinationDeliveries: 'deliveries',
  listDestinations: 'deliveries',
  listEndpoints: 'deliveries',
  previewSend: 'deliveries',
  listSends: 'deliveries',
  previewDestinationPush: 'deliveries',
  getDiscoverRun: 'discover',
  listDiscoverRuns: 'discover',
  getAgent: 'agent',
  listAgentLeads: 'agent',
  getOutreach: 'outreach',
  getResultsSummary: 'outreach',
  getSourceOutreach: 'outreach',
  listCampaigns: 'outreach',
  listOutreachResults: 'outreach',
  listResultSuggestions: 'outreach',
  listMembers: 'people',
  getRequest: 'settings',
  getSettings: 'settings',
  getSourceWebhook: 'settings',
  listAudit: 'settings',
  listKeys: 'settings',
  listRequests: 'settings',
  listViews: 'settings',
  addExclusions: 'slow',
  getFreshness: 'slow',
  getSourceOverlap: 'slow',
  listDestinationFields: 'slow',
  updateExclusionSettings: 'slow',
  updateRetention: 'slow',
} as const satisfies Partial<Record<AnyId, Topic>>

export type ReadId = keyof typeof topicOf

/** The topics to refresh after each write. */
export const changedBy = {
  applyDefaults: ['sources', 'deliveries', 'outreach', 'leads'],
  backtestKeyword: [],
  cancelInvitation: ['people'],
  cancelSend: ['deliveries'],
  changeMemberRole: ['people', 'settings'],
  checkDestination: [],
  compareCriteria: [],
  createDestination: ['deliveries'],
  createErasure: ['leads', 'sources', 'credits', 'deliveries', 'people'],
  createExport: [],
  createKey: ['settings'],
  createObjection: ['leads'],
  debugSignature: [],
  deleteCredential: ['settings', 'outreach', 'keywords'],
  deleteDestination: ['deliveries'],
  deleteDiscoverRun: ['discover'],
  deleteView: ['settings'],
  disputeCharge: ['credits'],
  editCompany: ['sources', 'syncs'],
  editKeyword: ['keywords', 'sources', 'syncs', 'credits'],
  editProfile: ['sources', 'syncs'],
  enrichProfile: ['sources', 'syncs'],
  inviteMember: ['people'],
  leaveTeam: [],
  planSend: ['deliveries'],
  pushDestination: ['deliveries'],
  putCredential: ['settings', 'outreach', 'keywords'],
  recordResults: ['leads', 'outreach'],
  removeMember: ['people'],
  renameTeam: ['settings'],
  retryDestinationDelivery: ['deliveries'],
  revokeKey: ['settings'],
  rotateResultsSecret: ['outreach'],
  rotateSecret: ['settings', 'deliveries'],
  saveDefaults: ['sources'],
  saveView: ['settings'],
  sendTestEvent: [],
  startAgent: ['agent', 'keywords', 'sources', 'discover', 'credits', 'syncs'],
  startDiscover: ['discover', 'credits'],
  startSourceSync: ['sources', 'syncs'],
  stopAgent: ['agent', 'keywords', 'sources', 'syncs'],
  testDestination: [],
  trackKeyword: ['keywords', 'sources', 'syncs', 'credits'],
  trackPost: ['sources', 'syncs'],
  updateAgent: ['agent', 'outreach', 'deliveries'],
  updateDestination: ['deliveries'],
  updateExclusionSettings: ['leads', 'slow'],
  updateRetention: ['leads', 'slow'],
  updateSourceIcp: ['sources', 'leads'],
  updateSourceOutreach: ['outreach', 'sources'],
  updateSourceWebhook: ['sources', 'deliveries', 'settings'],
} as const satisfies Partial<Record<AnyId, readonly Topic[]>>

export type WriteId = keyof typeof changedBy
