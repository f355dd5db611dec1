export { api, exportAddress, personExportAddress, statementAddress } from './api.ts'
export { ApiError, asksToSpend, hasCode, isNotFound, isUnread } from './error.ts'
export {
  keyOf,
  useSessionMutation,
  useSessionPages,
  useSessionQuery,
  useV1Mutation,
  useV1Query,
  type ReadSettings,
  type WriteSettings,
} from './hooks.ts'
export { useMe, useTeam, type Me, type MyTeam } from './me.ts'
export { useSourceNames, type NamedSource } from './source-names.ts'
export { send } from './send.ts'
export { currentTeam } from './team.ts'
export type { OperationId, SessionInput, SessionOperationId, SessionResult, Topic, V1Input, V1Result } from './types.ts'
