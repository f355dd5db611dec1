import { hash32 } from '../../world/random.ts'
import { ok, type Reply } from '../exchange.ts'
import { claimedTotal, numberIn, pageOf, readToken, tokenFor } from '../query.ts'
import type { VendorContext } from '../vendor.ts'

/** Dollars per request. */
export const REQUEST_COST = 0.004

export function envelope(
  context: VendorContext,
  { status, error = null, entityId = null }: { status: number; error?: unknown; entityId?: string | null },
): Record<string, unknown> {
  const paid = status < 400
  return {
    status,
    error,
    query: normalised(context.query),
    originalQuery: context.query,
    entityId,
    requestId: requestId(context),
    retries: 0,
    payments: paid ? [paymentOf(context.operation)] : [],
    cost: paid ? REQUEST_COST : 0,
    user: { membershipTier: 'pro', planName: 'Pro', requestsConcurrency: context.account.inFlight },
  }
}

export function single(context: VendorContext, entityId: string, element: unknown): Reply {
  return ok({ element, ...envelope(context, { status: 200, entityId }) })
}

const pageIn = (context: VendorContext): number => numberIn(context.query, 'page', { otherwise: 1, least: 1 })

/** The page asked for; without a token of this list, a later page is the first again. */
export function pageByToken(context: VendorContext, scope: string): number {
  const { paginationToken: token } = context.query
  if (token) readToken(token, scope)
  const asked = pageIn(context)
  return asked > 1 && !token ? 1 : asked
}

/** A page of rows: `total` is the declared count, `rows` all that exist, `scope` the list of the next page's token. */
export function list<T>(
  context: VendorContext,
  source: { entityId: string; rows: readonly T[]; size: number; total?: number; page?: number; scope?: string },
  present: (row: T, index: number) => unknown,
): Reply {
  const { entityId, size, scope, page = pageIn(context) } = source
  const offset = (page - 1) * size
  const { rows, more } = pageOf(source.rows, { offset, size }, context.fault)
  const total = claimedTotal(source.total ?? source.rows.length, { offset, size }, context.fault)
  const pagination = {
    totalElements: total,
    totalPages: Math.ceil(total / size),
    pageNumber: Math.max(page, pageIn(context)),
    previousElements: offset,
    pageSize: size,
    paginationToken: more && scope !== undefined ? tokenFor(scope, offset + size) : null,
  }
  return ok({
    pagination,
    elements: rows.map((row, index) => present(row, offset + index)).filter((element) => element !== undefined),
    ...envelope(context, { status: 200, entityId }),
  })
}

function normalised(query: Record<string, string>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      key === 'page' ? Number(value) : value,
    ]),
  )
}

function paymentOf(operation: string): string {
  return `linkedin${operation
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`
}

function requestId(context: VendorContext): string {
  const text = `${context.seed} ${context.path} ${JSON.stringify(context.query)}`
  const hex = [91, 92, 93, 94].map((salt) => hash32(text, salt).toString(16).padStart(8, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
