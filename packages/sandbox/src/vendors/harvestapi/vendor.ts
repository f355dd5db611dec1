import { ok, type Reply } from '../exchange.ts'
import { BadQuery } from '../query.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { envelope, REQUEST_COST } from './envelope.ts'
import { OPERATIONS } from './operations.ts'

const STARTING_BALANCE = 780

/** HarvestAPI's wire format: header `X-API-KEY`, GET only, dollars per request, a limit on concurrent calls. */
export const harvestapi: Vendor = {
  name: 'harvestapi',
  prefix: '/harvestapi',
  limitsInFlight: true,
  operationAt(path) {
    const [, group, name, rest] = path.split('/')
    if (rest) return undefined
    if (group === 'users' && name === 'my-api-user') return name
    return group === 'linkedin' && name !== undefined && Object.hasOwn(OPERATIONS, name) ? name : undefined
  },
  keyOf: (headers) => String(headers['x-api-key'] ?? ''),
  refuse(headers, path, now) {
    const key = String(headers['x-api-key'] ?? '')
    if (key !== '' && key !== 'bad-key') return undefined
    return {
      status: 401,
      body: { status: 401, error: { error: 'Invalid API key', status: 401 }, timestamp: now.toISOString(), path },
    }
  },
  answer(context) {
    if (context.operation === 'my-api-user') return accountReply(context)
    try {
      const reply = OPERATIONS[context.operation]?.(context) ?? notFound(context)
      if (reply.status < 400) context.account.spent += REQUEST_COST
      return reply
    } catch (error) {
      if (error instanceof BadQuery) return this.failure(400, error.message, context)
      throw error
    }
  },
  failure: (status, message) => ({ status, body: { error: status, message } }),
  failureIn200: (context) =>
    ok(envelope(context, { status: 500, error: { error: 'Failed to fetch data', status: 500 } })),
  notFound,
}

function notFound(context: VendorContext): Reply {
  return { status: 404, body: envelope(context, { status: 404, error: { error: 'Not found', status: 404 } }) }
}

function accountReply(context: VendorContext): Reply {
  const balance = Math.round((STARTING_BALANCE - context.account.spent) * 1e6) / 1e6
  const topUp = { id: 'topup-1', name: 'Top-up', amount: STARTING_BALANCE, amountRemaining: balance }
  return ok({
    status: 200,
    error: null,
    user: {
      id: 'sandbox',
      membershipTier: 'pro',
      planName: 'Pro',
      requestsConcurrency: context.account.inFlight,
      totalBalance: balance,
      activePackages: [{ ...topUp, expiresAt: '2027-06-30T00:00:00.000Z' }],
    },
    usage: { balance },
  })
}
