/**
 * Who may do what, written down by hand: the least role that every operation needs when a signed-in person asks, at the dashboard and
 * from agent tools. Nothing here is read from the registries, so a role that changes there must be wanted here as well.
 *
 * Viewers read. Members write, and read what holds a secret (the webhook settings answer the signing secret). Owners decide who gets
 * in and what the team is: people, API keys, keys of third parties, the signing secret, the name.
 */
export type Role = 'viewer' | 'member' | 'owner'

/** From the least to the most. */
export const roles: readonly Role[] = ['viewer', 'member', 'owner']

/** True when whoever has the role may do what needs the other. */
export const mayDo = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

/** Operations of the contract. */
export const leastRole: Readonly<Record<string, Role>> = {
  listSources: 'viewer',
  getProfileSync: 'viewer',
  getCompanySync: 'viewer',
  getSourceSync: 'viewer',
  getKeywordSync: 'viewer',
  getProfileIcp: 'viewer',
  getCompanyIcp: 'viewer',
  getSourceIcp: 'viewer',
  getKeywordIcp: 'viewer',
  getSourceOutreach: 'viewer',
  resolveProfileUrn: 'viewer',
  getPush: 'viewer',
  getJobStatus: 'viewer',
  estimateKeyword: 'viewer',
  listKeptPosts: 'viewer',
  listSourcePosts: 'viewer',
  listLeads: 'viewer',
  listRawLeads: 'viewer',
  listEngagers: 'viewer',
  listDiscoverRuns: 'viewer',
  getDiscoverRun: 'viewer',
  getOutreach: 'viewer',
  getResultsSummary: 'viewer',
  listResultSuggestions: 'viewer',
  listCampaigns: 'viewer',
  getAgent: 'viewer',
  listAgentLeads: 'viewer',
  getCredits: 'viewer',
  getCreditsUsage: 'viewer',
  listExclusions: 'viewer',
  getExclusionSettings: 'viewer',
  listWebhookDeliveries: 'viewer',
  // Keys are shown masked.
  listKeys: 'viewer',

  // They answer the signing secret.
  getProfileWebhook: 'member',
  getCompanyWebhook: 'member',
  getSourceWebhook: 'member',
  getKeywordWebhook: 'member',
  // Reads that cost credits.
  readProfilePosts: 'member',
  readCompanyPosts: 'member',

  enrichProfile: 'member',
  enrichCompany: 'member',
  editProfile: 'member',
  editCompany: 'member',
  untrackProfile: 'member',
  untrackCompany: 'member',
  startSourceSync: 'member',
  updateProfileWebhook: 'member',
  updateCompanyWebhook: 'member',
  updateSourceWebhook: 'member',
  updateKeywordWebhook: 'member',
  updateProfileIcp: 'member',
  updateCompanyIcp: 'member',
  updateSourceIcp: 'member',
  updateKeywordIcp: 'member',
  updateSourceOutreach: 'member',
  pushProfile: 'member',
  pushCompany: 'member',
  pushSource: 'member',
  pushKeyword: 'member',
  trackPost: 'member',
  untrackPost: 'member',
  trackKeyword: 'member',
  editKeyword: 'member',
  untrackKeyword: 'member',
  fetchProfilePosts: 'member',
  fetchCompanyPosts: 'member',
  fetchPostReactions: 'member',
  fetchPostComments: 'member',
  fetchCompanyPostComments: 'member',
  startDiscover: 'member',
  deleteDiscoverRun: 'member',
  sendLeads: 'member',
  recordResults: 'member',
  rotateResultsSecret: 'member',
  updateAgent: 'member',
  startAgent: 'member',
  stopAgent: 'member',
  pushAgent: 'member',
  addExclusions: 'member',
  removeExclusion: 'member',
  updateExclusionSettings: 'member',

  createKey: 'owner',
  revokeKey: 'owner',
}

/** Operations that need less when they are sent with `dryRun: true`, which saves nothing. */
export const leastRoleToTry: Readonly<Record<string, Role>> = {
  updateProfileIcp: 'viewer',
  updateCompanyIcp: 'viewer',
  updateSourceIcp: 'viewer',
  updateKeywordIcp: 'viewer',
  addExclusions: 'viewer',
}

/** Operations of the contract that are not served at the dashboard: they count in a window that belongs to API keys and agent tools. */
export const notAtDashboard: readonly string[] = ['readProfilePosts', 'readCompanyPosts']

/** Operations that only a signed-in person can ask; `anybody` is whoever is signed in, of any team or of none. */
export const leastSessionRole: Readonly<Record<string, Role | 'anybody'>> = {
  getMe: 'anybody',
  createTeam: 'anybody',
  openSampleTeam: 'anybody',
  readInvitation: 'anybody',
  acceptInvitation: 'anybody',
  listConnections: 'anybody',
  revokeConnection: 'anybody',
  createDeviceKey: 'anybody',
  // Asked by anybody who is signed in, answered to operators of the service alone (operators.test.ts).
  getOperatorOverview: 'anybody',
  retryPoisonWork: 'anybody',

  // They name the addresses of webhooks.
  getDefaults: 'member',
  saveDefaults: 'member',
  previewDefaults: 'member',
  applyDefaults: 'member',

  listMembers: 'viewer',
  leaveTeam: 'viewer',
  getSettings: 'viewer',
  listAudit: 'viewer',
  listRequests: 'viewer',
  getRequest: 'viewer',
  getLeadDetail: 'viewer',
  listViews: 'viewer',
  listSourceHealth: 'viewer',
  listSourceNames: 'viewer',
  getSourceHealth: 'viewer',
  listRuns: 'viewer',
  parseExpression: 'viewer',
  compareCriteria: 'viewer',
  listEndpoints: 'viewer',
  listDeliveries: 'viewer',
  getDelivery: 'viewer',
  listOutreachResults: 'viewer',
  getBurn: 'viewer',
  listLedger: 'viewer',
  listYield: 'viewer',
  listSends: 'viewer',
  listSortedLeads: 'viewer',

  saveView: 'member',
  deleteView: 'member',
  // It may use the team's own AI key.
  backtestKeyword: 'member',
  quoteCapture: 'member',
  previewSend: 'member',
  planSend: 'member',
  cancelSend: 'member',
  replayDelivery: 'member',
  replayDeliveries: 'member',
  sendTestEvent: 'member',
  debugSignature: 'member',

  inviteMember: 'owner',
  cancelInvitation: 'owner',
  changeMemberRole: 'owner',
  removeMember: 'owner',
  renameTeam: 'owner',
  putCredential: 'owner',
  deleteCredential: 'owner',
  rotateSecret: 'owner',
}
