import type { ErrorKey } from './errors.ts'
import { takesIdempotencyKey, type Operation } from './operation.ts'

const shared = [
  'invalid_request',
  'missing_key',
  'invalid_key_header',
  'team_inactive',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorKey[]
const ofWrites = ['invalid_json', 'body_too_large'] as const satisfies readonly ErrorKey[]
const ofRetries = [
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_key_reused',
] as const satisfies readonly ErrorKey[]

/** Every refusal an operation can answer, its own and the pipeline's; a test checks every answer against this list. */
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

/** Adds the refusals of tools: the signed-in person's role is too low, or the operation is not for apps. */
export const declaredForTools = (operation: Operation): readonly ErrorKey[] => [
  ...declaredErrors(operation),
  'role_required',
  'not_for_apps',
]
