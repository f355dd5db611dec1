/** The public face of accounts: teams, keys, rate windows, team secrets, safe retries. */
export {
  changeTeam,
  createTeam,
  makeKey,
  readTeam,
  rotateSigningSecret,
  type TeamChange,
  type TeamSettings,
} from './actions.ts'
export { auditOperations } from './audit-operations.ts'
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
export { accountHandlers, type AccountOperationId } from './operations.ts'
export type { Caller, Member, MemberCaller, Person } from './caller.ts'
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
export { purgeAudit, purgeFlights, readKeepDays, saveKeepDays } from './retention.ts'
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
export { rewrapDataKeys, type MasterChange } from './rewrap.ts'
export {
  clearCredential,
  credentialKinds,
  openForTeam,
  readCredential,
  readSigningSecrets,
  sealForTeam,
  storeCredential,
  type CredentialKind,
} from './secrets.ts'
export { listCredentialKinds, readTeamNames } from './store.ts'
export { settingsOperations, type SettingsDeps } from './settings-operations.ts'
export { viewOperations } from './view-operations.ts'
export type { Team } from './team.ts'
export { mostVendorCalls, teamCallsPerDay } from './vendor-calls.ts'
export { purgeRequests } from './request-log/store.ts'
export { openRequestLog, type AnsweredCall, type RequestLog } from './request-log/recorder.ts'
export { requestLogOperations } from './request-log/operations.ts'
export { noteAgentPeople, notePeople, notePosts, takeNotes } from './agents/notes.ts'
export {
  agentsFedBy,
  sourcesMadeBy,
  writeAgentSource,
  writeStopped,
  writeUntracked,
  type AgentName,
} from './agents/store.ts'
