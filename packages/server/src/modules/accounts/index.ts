/** The public face of accounts: teams, keys, rate windows, team secrets, safe retries. */
export {
  changeTeam,
  createTeam,
  readTeam,
  rotateSigningSecret,
  type TeamChange,
  type TeamSettings,
} from './actions.ts'
export { auditOperations } from './audit.ts'
export { recordChange, withoutSecrets, type Change } from './audit.ts'
export {
  authenticateAndCount,
  countForTeam,
  findKeyOwner,
  uncount,
  type Authenticated,
  type Statements,
} from './authenticate.ts'
export {
  lockIdempotencyKey,
  unlockIdempotencyKey,
  findAnswer,
  purgeIdempotency,
  recordAnswer,
  requestHash,
  scopeOf,
  type StoredAnswer,
} from './idempotency.ts'
export { accountHandlers, makeKey, type AccountOperationId } from './keys.ts'
export type { Caller, Member, MemberCaller, Person } from './handler.ts'
export type {
  Handler,
  Handlers,
  ReadContext,
  SessionHandler,
  SessionHandlers,
  Settled,
  WriteContext,
} from './handler.ts'
export { checkMasterKey, resealMasterKeyCheck } from './master-key.ts'
export { purgeAudit, purgeFlights, readKeepDays, saveKeepDays } from './keep-days.ts'
export {
  keepMistake,
  keptDays,
  mostKeepDays,
  teamKeepRules,
  type KeepDays,
  type KeepRule,
  type TeamKeepRule,
} from './rules/keep-days.ts'
export {
  bucketOf,
  retryAfterSeconds,
  uncounted,
  windowOfNobody,
  type RateBucket,
  type RateWindow,
  type SessionWindow,
} from './rules/rate.ts'
export { isTrial, teamIsServed, type Standing, type TeamStatus } from './rules/team-status.ts'
export { openFallbackRateWindows, type FallbackRateWindows } from './fallback-rate-windows.ts'
export { rewrapDataKeys, type MasterChange } from './master-key.ts'
export {
  clearCredential,
  credentialKinds,
  listCredentialKinds,
  openForTeam,
  readCredential,
  readSigningSecrets,
  sealForTeam,
  storeCredential,
  type CredentialKind,
} from './secrets.ts'
export { settingsOperations, type SettingsDeps } from './settings.ts'
export { viewOperations } from './views.ts'
export { mostVendorCalls, readTeamNames, teamCallsPerDay, type Team } from './team.ts'
export { purgeRequests } from './request-log/store.ts'
export { openRequestLog, type AnsweredCall, type RequestLog } from './request-log/recorder.ts'
export { requestLogOperations } from './request-log/operations.ts'
export { noteAgentPeople, notePeople, notePosts, takeNotes } from './agents.ts'
export {
  agentsFedBy,
  sourcesMadeBy,
  writeAgentSource,
  writeStopped,
  writeUntracked,
  type AgentName,
} from './agents.ts'
