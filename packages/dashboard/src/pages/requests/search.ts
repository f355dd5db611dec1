import { compact, oneOf, text, type Raw } from '../../app/search.ts'

export const statuses = ['2xx', '4xx', '5xx'] as const
export const surfaces = ['api', 'mcp'] as const

/** What this page keeps in its address: the filters, and the call whose detail is open. */
export type Search = {
  readonly status?: (typeof statuses)[number]
  readonly surface?: (typeof surfaces)[number]
  readonly operation?: string
  readonly requestId?: string
  readonly keyId?: string
  readonly call?: string
}

const shaped = (raw: Raw, name: string, shape: RegExp): string | undefined => {
  const value = text(raw, name)
  return value !== undefined && shape.test(value) ? value : undefined
}
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const search = (raw: Raw): Search =>
  compact({
    status: oneOf(raw, 'status', statuses),
    surface: oneOf(raw, 'surface', surfaces),
    operation: shaped(raw, 'operation', /^[A-Za-z]{1,60}$/),
    requestId: shaped(raw, 'requestId', /^[A-Za-z0-9._-]{1,128}$/),
    keyId: shaped(raw, 'keyId', uuid),
    call: shaped(raw, 'call', uuid),
  })
