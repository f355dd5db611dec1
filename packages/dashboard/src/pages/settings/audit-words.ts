/** What was done, in words, for the operations that a team sees most. */
const words: Readonly<Record<string, string>> = {
  createKey: 'Made an API key',
  revokeKey: 'Revoked an API key',
  putCredential: 'Stored a key of another service',
  deleteCredential: 'Forgot a key of another service',
  rotateSecret: 'Made a new webhook secret',
  renameTeam: 'Renamed the team',
  inviteMember: 'Invited somebody',
  cancelInvitation: 'Took an invitation back',
  acceptInvitation: 'Joined the team',
  changeMemberRole: 'Changed a role',
  removeMember: 'Removed a member',
  leaveTeam: 'Left the team',
  createTeam: 'Made the team',
  trackKeyword: 'Started a keyword search',
  editKeyword: 'Edited a keyword search',
  untrackKeyword: 'Stopped a keyword search',
  enrichProfile: 'Looked up or tracked a person',
  enrichCompany: 'Looked up or tracked a company',
  trackPost: 'Tracked a post',
  startDiscover: 'Started a Discover run',
  deleteDiscoverRun: 'Deleted a Discover run',
  updateAgent: 'Changed an agent',
  startAgent: 'Started an agent',
  stopAgent: 'Stopped an agent',
  pushAgent: 'Pushed an agent’s leads',
  sendLeads: 'Sent people to a campaign',
  startSourceSync: 'Started a sync',
}

/** An operation in words: its own, or its name taken apart. */
export function auditWords(operation: string): string {
  const known = words[operation]
  if (known !== undefined) return known
  const apart = operation
    .replace(/([A-Z])/g, ' $1')
    .replace(/[._-]+/g, ' ')
    .trim()
    .toLowerCase()
  return apart.charAt(0).toUpperCase() + apart.slice(1)
}
