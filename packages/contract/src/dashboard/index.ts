/**
 * The second registry: operations for signed-in people only, below `/app/api`. Never in OpenAPI or the agent tools; the command
 * line has the log of calls and deliveries, for a person who signed in with it.
 */
import type { Operation } from '../operation.ts'
import { connectionOperations } from './connections.ts'
import { creditDashboardOperations } from './credits.ts'
import { deliveryDashboardOperations } from './deliveries.ts'
import { leadDashboardOperations } from './leads.ts'
import { defaultsDashboardOperations } from './defaults.ts'
import type { SessionOperation, TeamRole } from './operation.ts'
import { operatorDashboardOperations } from './operator.ts'
import { peopleOperations } from './people.ts'
import { requestOperations } from './requests.ts'
import { sendDashboardOperations } from './sends.ts'
import { settingsOperations } from './settings.ts'
import { sourceDashboardOperations } from './sources.ts'

export const sessionRegistry = [
  ...peopleOperations,
  ...connectionOperations,
  ...settingsOperations,
  ...requestOperations,
  ...leadDashboardOperations,
  ...sourceDashboardOperations,
  ...deliveryDashboardOperations,
  ...creditDashboardOperations,
  ...sendDashboardOperations,
  ...defaultsDashboardOperations,
  ...operatorDashboardOperations,
] as const satisfies readonly SessionOperation[]

/** Union of all session-only operations, each with its own types. */
export type AnySessionOperation = (typeof sessionRegistry)[number]

/** The id of a session-only operation; also the key of its handler. */
export type SessionOperationId = AnySessionOperation['id']

export type PeopleOperationId = (typeof peopleOperations)[number]['id']

export type ConnectionOperationId = (typeof connectionOperations)[number]['id']

export type SessionOperationOf<Id extends SessionOperationId> = Extract<AnySessionOperation, { id: Id }>

export const sessionBasePath = '/app/api'

/** Public operations that need a higher role, since they show or make secrets, charge for reading, or grant access. */
const roleOverrides: Readonly<Record<string, TeamRole>> = {
  createKey: 'owner',
  revokeKey: 'owner',
  // Deletes leads.
  updateRetention: 'owner',
  // These show the signing secret.
  getProfileWebhook: 'member',
  getCompanyWebhook: 'member',
  getKeywordWebhook: 'member',
  getSourceWebhook: 'member',
  // These charge; signed-in people reach them from agent tools.
  readProfilePosts: 'member',
  readCompanyPosts: 'member',
}

const sideEffectFree: readonly string[] = ['estimateKeyword']

/** Writes that change nothing with `dryRun: true`. */
const dryRunnable: readonly string[] = [
  'updateProfileIcp',
  'updateCompanyIcp',
  'updateSourceIcp',
  'updateKeywordIcp',
  'addExclusions',
  'updateExclusionSettings',
]

/**
 * The role a signed-in person needs for a public operation: viewers read and dry-run criteria, members write. Without
 * `body` the result is the lowest role that any body could need.
 */
export function roleOf(
  operation: Pick<Operation, 'id' | 'method'>,
  body?: Readonly<Record<string, unknown>>,
): TeamRole {
  const isFree =
    operation.method === 'GET' ||
    sideEffectFree.includes(operation.id) ||
    (dryRunnable.includes(operation.id) && (body === undefined || body.dryRun === true))
  return roleOverrides[operation.id] ?? (isFree ? 'viewer' : 'member')
}

export { defaultKept, defaultParts, defaultsOf, maxDefaulted, type DefaultPart } from './defaults.ts'
export { maxRequests, requestDays } from './requests.ts'
export { credentialKey, credentialKind } from './settings.ts'
export { sendReason, type SendReason } from './sends.ts'
export { sourceWarning } from './sources.ts'
export { reaches, teamRole, teamRoles, type SessionGroup, type SessionOperation, type TeamRole } from './operation.ts'
