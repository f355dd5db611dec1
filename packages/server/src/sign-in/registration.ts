/**
 * Clients that register themselves at the authorization server: anybody may, so what they leave behind is small, and soon gone. They
 * name no address that the service would call: it calls nobody it was not told to by its operator.
 */
import { APIError, createAuthMiddleware } from 'better-auth/api'
import type { BetterAuthPlugin } from 'better-auth'
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'

const registrationPath = '/oauth2/register'

/** What one registration may hold, in characters and entries; `inADay` is of all strangers together. */
const registrationBounds = {
  name: 100,
  addresses: 10,
  address: 500,
  contacts: 5,
  contact: 200,
  inADay: 1_000,
} as const

const called = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri', 'request_uris']

/** What is read of a registration; anything else is not kept. */
const read: ReadonlySet<string> = new Set([
  'redirect_uris',
  'client_name',
  'contacts',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'application_type',
  'subject_type',
  'jwks',
  'dpop_bound_access_tokens',
  'resources',
  'skip_consent',
  'scope',
])

type Fields = Readonly<Record<string, unknown>>

const isLong = (value: unknown, most: number): boolean => typeof value === 'string' && value.length > most

/** What is wrong with the entries of a list; null when nothing is. What is no list is left to the library. */
function wrongList(
  body: Fields,
  field: string,
  { entries, length }: { readonly entries: number; readonly length: number },
): string | null {
  const list = body[field]
  if (!Array.isArray(list)) return null
  if (list.length > entries) return `${field} may have at most ${entries} entries`
  return list.some((entry) => isLong(entry, length))
    ? `Each entry of ${field} may have at most ${length} characters`
    : null
}

/** Pages of the client that a person might be shown: of the web, so that none of them is a script. */
function wrongPage(body: Fields): string | null {
  const wrong = Object.entries(body).find(
    ([field, value]) =>
      field.endsWith('_uri') &&
      value !== undefined &&
      (typeof value !== 'string' ||
        value.length > registrationBounds.address ||
        !/^https?:$/.test(URL.parse(value)?.protocol ?? '')),
  )
  return (
    (wrong &&
      `${wrong[0]} must be an address that begins with https:// or http://, of at most ${registrationBounds.address} characters`) ??
    null
  )
}

/** Why a registration is refused; null when it is not. */
function refusedRegistration(body: Fields): string | null {
  const named = called.filter((field) => body[field] !== undefined)
  if (named.length > 0) return `${named.join(', ')} is not supported here`
  const { name, addresses, address, contacts, contact } = registrationBounds
  if (isLong(body.client_name, name)) return `client_name may have at most ${name} characters`
  return (
    wrongList(body, 'redirect_uris', { entries: addresses, length: address }) ??
    wrongList(body, 'post_logout_redirect_uris', { entries: addresses, length: address }) ??
    wrongList(body, 'contacts', { entries: contacts, length: contact }) ??
    wrongPage(body)
  )
}

const dayMs = 24 * 3_600_000

/** True when as many clients as may have registered within a day; those that were let in since count as well. */
async function isFull(db: Kysely<Database>, now: Date): Promise<boolean> {
  const { rows } = await sql<{ made: number }>`
    select count(*)::integer as made from (
      select 1 from sign_in."oauthClient" where "createdAt" > ${new Date(now.getTime() - dayMs)}
      limit ${registrationBounds.inADay}) recent`.execute(db)
  return rows[0]!.made >= registrationBounds.inADay
}

/** The plugin; refuses 400 `invalid_client_metadata`, and 429 when too many have registered. */
export function closedRegistration(db: Kysely<Database>, system: Pick<SystemClock, 'nowMs'>): BetterAuthPlugin {
  return {
    id: 'closed-registration',
    hooks: {
      before: [
        {
          matcher: (context) => context.path === registrationPath,
          handler: createAuthMiddleware(async (context) => {
            const body = (context.body ?? {}) as Record<string, unknown>
            const refused = refusedRegistration(body)
            if (refused !== null)
              throw new APIError('BAD_REQUEST', { error: 'invalid_client_metadata', error_description: refused })
            if (await isFull(db, new Date(system.nowMs())))
              throw new APIError(
                'TOO_MANY_REQUESTS',
                {
                  error: 'temporarily_unavailable',
                  error_description: 'Too many apps have registered here within a day: try again in an hour',
                },
                { 'retry-after': '3600' },
              )
            // In place: what a hook gives back is laid over the body that came, and takes nothing out of it.
            for (const field of Object.keys(body)) if (!read.has(field)) delete body[field]
          }),
        },
      ],
    },
  }
}
