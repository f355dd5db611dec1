export {
  changeTeam,
  createTeam,
  rotateSigningSecret,
  type TeamChange,
} from './actions.ts'
export { beginEnding, closeTeam, deleteTeam, restoreTeam } from './closing.ts'
export { auditOperations, recordChange } from './audit.ts'
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
} from './idempotency.ts'
export { accountHandlers, makeKey } from './keys.ts'
export type {
  Caller,
  Member,
  Person,
  Handlers,
  ReadContext,
  SessionHandlers,
  Settled,
  WriteContext,
} from './handler.ts'
export { checkMasterKey, resealMasterKeyCheck, rewrapDataKeys } from './master-key.ts'
export { purgeAudit, purgeFlights, readKeepDays, saveKeepDays } from './keep-days.ts'
export { canonicalJson } from './rules/canonical.ts'
export {
  keptDays,
  maxKeepDays,
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
export { teamIsServed } from './rules/team-status.ts'
export { openFallbackRateWindows } from './fallback-rate-windows.ts'
export {
  clearCredential,
  credentialKinds,
  deriveForTeam,
  listCredentials,
  openForTeam,
  readCredential,
  findTeamSecrets,
  readSigningSecret,
  readSigningSecrets,
  sealForTeam,
  writeSigningSecret,
  storeCredential,
} from './secrets.ts'
export { settingsOperations } from './settings.ts'
export { viewOperations } from './views.ts'
export {
  findEmptiestShard,
  findShards,
  findTeam as readTeam,
  maxVendorCalls,
  readTeamNames,
  teamCallsPerDay,
  type Team,
} from './team.ts'
export { purgeRequests, shareLog, type NamesErased } from './request-log/store.ts'
export { openRequestLog, type RequestLog } from './request-log/recorder.ts'
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
export { erasePersonFromAccounts, erasePersonFromViews, namesPerson, namesPersonInId } from './erasing.ts'
export { spokenForms, hasNickname } from './rules/person-names.ts'
export {
  isAbout,
  literally,
  namerOf,
  identifyingNames,
  withoutPerson,
  wordLetters,
  type ErasedPerson,
} from './rules/erased-person.ts'
