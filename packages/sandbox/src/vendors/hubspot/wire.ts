import type { Reply } from '../exchange.ts'
import type { CrmRecord, Invalid, ObjectName, Portal } from './portal.ts'

export const error = (status: number, category: string, message: string, more: object = {}): Reply => ({
  status,
  body: { status: 'error', message, correlationId: '0d7c1a4e-0000-4000-8000-000000000000', category, ...more },
})

/** 429 by one of the portal's rate policies. */
export const limited = (policyName: 'TEN_SECONDLY_ROLLING' | 'DAILY'): Reply => ({
  status: 429,
  body: {
    status: 'error',
    message: `You have reached your ${policyName.toLowerCase()} limit.`,
    errorType: 'RATE_LIMIT',
    correlationId: '0d7c1a4e-0000-4000-8000-000000000001',
    policyName,
  },
})

const categories: Readonly<Record<number, string>> = {
  401: 'INVALID_AUTHENTICATION',
  403: 'FORBIDDEN',
  404: 'OBJECT_NOT_FOUND',
  409: 'CONFLICT',
  500: 'INTERNAL_ERROR',
}

export const failure = (status: number, message: string): Reply =>
  status === 429
    ? limited('TEN_SECONDLY_ROLLING')
    : error(status, categories[status] ?? (status > 500 ? 'SERVICE_UNAVAILABLE' : 'VALIDATION_ERROR'), message)

export const missingScopes = (scopes: readonly string[]): Reply =>
  error(403, 'MISSING_SCOPES', "This app hasn't been granted all required scopes to make this call.", {
    errors: [
      { message: 'One or more of the following scopes are required.', context: { requiredGranularScopes: scopes } },
    ],
    context: { missingScopes: scopes },
  })

/** The refusal of one record. */
export type Refused = {
  readonly status: number
  readonly category: string
  readonly message: string
  readonly errors?: readonly object[]
  readonly context?: Readonly<Record<string, readonly string[]>>
}

export const invalid = (found: readonly Invalid[]): Refused => {
  const parts = found.map((one) => ({ isValid: false, ...one, localizedErrorMessage: one.message }))
  return {
    status: 400,
    category: 'VALIDATION_ERROR',
    message: `Property values were not valid: ${JSON.stringify(parts)}`,
    errors: found.map(({ name, error: code, message }) => ({ message, code, context: { propertyName: [name] } })),
  }
}

const typeIds: Readonly<Record<ObjectName, string>> = { contacts: '0-1', companies: '0-2', notes: '0-46', deals: '0-3' }

/** Where a call reads or writes, and when. */
export type At = { readonly portal: Portal; readonly name: ObjectName; readonly now: Date }

export const wireRecord = ({ id, properties, history }: CrmRecord, { name, portal, now }: At) => ({
  id,
  properties: { ...properties, hs_object_id: id },
  ...(history ? { propertiesWithHistory: history } : {}),
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  archived: false,
  url: `https://app.hubspot.com/contacts/${portal.id}/record/${typeIds[name]}/${id}`,
})

/** The answer of a batch: 207 when there are errors. */
export const batchAnswer = (results: readonly object[], errors: readonly object[], success = 200): Reply => {
  const body = { status: 'COMPLETE', results }
  return errors.length === 0
    ? { status: success, body }
    : { status: 207, body: { ...body, numErrors: errors.length, errors } }
}
