import { compact, oneOf, shaped, uuid, type Raw } from '../../app/search.ts'

export const statuses = ['2xx', '4xx', '5xx'] as const
export const surfaces = ['api', 'mcp'] as const

/** Search parameters: the filters, and the open call. */
export const search = (raw: Raw) =>
  compact({
    status: oneOf(raw, 'status', statuses),
    surface: oneOf(raw, 'surface', surfaces),
    operation: shaped(raw, 'operation', /^[A-Za-z]{1,60}$/),
    requestId: shaped(raw, 'requestId', /^[A-Za-z0-9._-]{1,128}$/),
    keyId: uuid(raw, 'keyId'),
    call: uuid(raw, 'call'),
  })
