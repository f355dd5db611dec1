import type { Reply } from '../exchange.ts'
import { BadQuery } from '../query.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { failed, OPERATIONS, success } from './operations.ts'

// Practically unlimited: tests of pacing set up their own account.
const STARTING_CREDITS = 50_000
const LIBRARY_AGENT =
  /^(|node|undici|node-fetch.*|axios\/.*|got.*|python-requests.*|python-urllib.*|go-http-client.*|okhttp.*|java\/.*)$/i

/** LinkdAPI's wire format: header `X-linkdapi-apikey`, GET only, failures inside HTTP 200; it refuses libraries' user agents. */
export const linkdapi: Vendor = {
  name: 'linkdapi',
  prefix: '/linkdapi',
  limitsInFlight: false,
  operationAt(path) {
    if (path === '/api/i/v1/credits/tier/k/') return 'credits/tier'
    const name = path.startsWith('/api/v1/') ? path.slice('/api/v1/'.length) : ''
    return Object.hasOwn(OPERATIONS, name) ? name : undefined
  },
  keyOf: (headers) => String(headers['x-linkdapi-apikey'] ?? ''),
  refuse(headers) {
    if (LIBRARY_AGENT.test(String(headers['user-agent'] ?? '')))
      return {
        status: 403,
        body: null,
        text: 'error code: 1010',
        headers: { 'content-type': 'text/plain; charset=UTF-8', server: 'cloudflare' },
      }
    const key = String(headers['x-linkdapi-apikey'] ?? '')
    if (key === '') return failed(401, 401, 'API key is missing')
    return key === 'bad-key' ? failed(401, 401, 'Invalid API key') : undefined
  },
  answer(context) {
    if (context.operation === 'credits/tier') return tierReply(context)
    const operation = OPERATIONS[context.operation]
    try {
      const reply = operation?.answer(context)
      if (reply?.status === 200) context.account.spent += operation?.credits ?? 0
      return reply ?? notFound(context)
    } catch (error) {
      if (error instanceof BadQuery) return failed(422, 422, error.message)
      throw error
    }
  },
  failure: (status, message) => failed(status, status, message),
  failureIn200: () => failed(200, 500, 'Something went wrong, please try again later'),
  notFound,
}

function notFound({ operation }: VendorContext): Reply {
  const what = operation.startsWith('posts/') ? 'Post' : operation.startsWith('companies/') ? 'Company' : 'Profile'
  return failed(200, 404, `${what} not found`)
}

function tierReply(context: VendorContext): Reply {
  const testing = { name: 'Testing', min_credits: 0, max_credits: 99, limit_per_minute: 7 }
  const hobby = { name: 'Hobby', min_credits: 100, max_credits: 9999, limit_per_minute: 30 }
  const business = { name: 'Business', min_credits: 10_000, max_credits: 999_999, limit_per_minute: 6_000 }
  const balance = STARTING_CREDITS - context.account.spent
  const current = balance < 100 ? testing : balance < 10_000 ? hobby : business
  return success({
    balance,
    credits_per_dollar: 100,
    current_tier: current,
    next_tier: current === testing ? hobby : current === hobby ? business : null,
    previous_tier: current === testing ? null : current === hobby ? testing : hobby,
  })
}
