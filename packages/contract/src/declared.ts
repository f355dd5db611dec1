/** Every refusal an operation can answer: its own, and what the pipeline in front of it says. A test holds every answer against it. */
import type { ErrorKey } from './errors.ts'
import { takesIdempotencyKey, type Operation } from './operation.ts'

/** What any operation can answer. */
const shared = [
  'invalid_request',
  'missing_key',
  'invalid_key_header',
  'team_inactive',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorKey[]
/** What any write can answer: it has a body. */
const ofWrites = ['invalid_json', 'body_too_large'] as const satisfies readonly ErrorKey[]
/** What any operation can answer that takes an Idempotency-Key. */
const ofRetries = [
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_key_reused',
] as const satisfies readonly ErrorKey[]

/** The refusals of an operation, each once. */
export function declaredErrors(operation: Operation): readonly ErrorKey[] {
  const ofBody: readonly ErrorKey[] = [
    ...(operation.body === null ? [] : (['unknown_field'] as const)),
    ...(Object.keys(operation.renamed).length > 0 ? (['renamed_field'] as const) : []),
  ]
  return [
    ...new Set<ErrorKey>([
      ...shared,
      ...(operation.method === 'GET' ? [] : ofWrites),
      ...(takesIdempotencyKey(operation) ? ofRetries : []),
      ...ofBody,
      ...operation.errors,
    ]),
  ]
}

/**
 * The refusals of an operation as a tool: a signed-in person's role may be too low for it, or it is not for apps at all, which
 * other surfaces say before they know the operation.
 */
export const declaredForTools = (operation: Operation): readonly ErrorKey[] => [
  ...declaredErrors(operation),
  'role_required',
  'not_for_apps',
]
