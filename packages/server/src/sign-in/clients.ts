/**
 * Clients that register themselves at the authorization server: anyone can, so registrations are small, soon deleted, and name no
 * address for us to call. Desktop redirect addresses (`cursor://…`) are registered under a stand-in, because the library accepts
 * private schemes only as reversed domains, and replaced once the client exists (docs/decisions/0017).
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import { queryValue } from '../platform/db/query.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { sha256 } from '../platform/secrets.ts'
import { toolScope, toolsResource } from './authorization.ts'
import { onRoutes } from './on-routes.ts'

type Fields = Readonly<Record<string, unknown>>

/** Limits of a registration, in characters and entries; `perDay` counts the clients of everybody. */
const maxRegistration = { name: 100, addresses: 10, address: 500, contacts: 5, contact: 200, perDay: 1_000 } as const

/** Fields with addresses that the service would have to call. */
const calledFields = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri', 'request_uris']

const readFields: ReadonlySet<string> = new Set([
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

/** Schemes of known programs that sign people in this way; a setting can name others. */
export const knownDesktopSchemes: readonly string[] = ['cursor', 'vscode', 'vscode-insiders']

const standInPrefix = 'internal.les-desktop:/'

/** Scheme, program name, path and query: no login, no fragment, nothing that a browser would rewrite. */
const desktopAddress = /^([a-z][a-z0-9+.-]*):\/\/[a-z0-9][a-z0-9._-]*(?:[/?][A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$/

/** True for a desktop program's address with one of these schemes, compared exactly. */
export function isDesktopAddress(address: unknown, schemes: readonly string[]): address is string {
  if (typeof address !== 'string' || address.length > maxRegistration.address) return false
  const scheme = desktopAddress.exec(address)?.[1]
  return scheme !== undefined && schemes.includes(scheme)
}

/** The address under which `address` is registered. */
export const standInOf = (address: unknown, schemes: readonly string[]): unknown =>
  isDesktopAddress(address, schemes) ? `${standInPrefix}${Buffer.from(address).toString('base64url')}` : address

/** Reverses `standInOf`; returns anything else unchanged, also an invalid stand-in. */
export function addressOf(registered: string, schemes: readonly string[]): string {
  if (!registered.startsWith(standInPrefix)) return registered
  const address = Buffer.from(registered.slice(standInPrefix.length), 'base64url').toString()
  return isDesktopAddress(address, schemes) ? address : registered
}

const isLong = (value: unknown, max: number): boolean => typeof value === 'string' && value.length > max

function wrongList(body: Fields, field: string, maxEntries: number, maxLength: number): string | null {
  const list = body[field]
  if (!Array.isArray(list)) return null
  if (list.length > maxEntries) return `${field} may have at most ${maxEntries} entries`
  return list.some((entry) => isLong(entry, maxLength))
    ? `Each entry of ${field} may have at most ${maxLength} characters`
    : null
}

/** A web page, which can be shown to a person because it is not a script URL. */
const isPage = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= maxRegistration.address &&
  /^https?:$/.test(URL.parse(value)?.protocol ?? '')

function refusedRegistration(body: Fields): string | null {
  const called = calledFields.filter((field) => body[field] !== undefined)
  if (called.length > 0) return `${called.join(', ')} is not supported here`
  const { name, addresses, address, contacts, contact } = maxRegistration
  if (isLong(body.client_name, name)) return `client_name may have at most ${name} characters`
  const list =
    wrongList(body, 'redirect_uris', addresses, address) ??
    wrongList(body, 'post_logout_redirect_uris', addresses, address) ??
    wrongList(body, 'contacts', contacts, contact)
  if (list !== null) return list
  const page = Object.keys(body).find(
    (field) => field.endsWith('_uri') && body[field] !== undefined && !isPage(body[field]),
  )
  return page === undefined
    ? null
    : `${page} must be an address that begins with https:// or http://, of at most ${address} characters`
}

/** Counts all clients of the last day, also those connected since. */
const isFull = async (db: Kysely<Database>, now: Date): Promise<boolean> =>
  (await queryValue<number>(db)`
    select count(*)::integer as made from (
      select 1 from sign_in."oauthClient" where "createdAt" > ${new Date(now.getTime() - 24 * 3_600_000)}
      limit ${maxRegistration.perDay}) recent`)! >= maxRegistration.perDay

/** Drops fields that are not read; a client with a redirect that is not https is `native` by default. */
function completeRegistration(body: Record<string, unknown>, schemes: readonly string[]): void {
  // In place: the library merges a hook's result into the body, which cannot remove a field.
  for (const field of Object.keys(body)) if (!readFields.has(field)) delete body[field]
  if (!Array.isArray(body.redirect_uris)) return
  const addresses: readonly unknown[] = body.redirect_uris
  const isNative = addresses.some((address) => typeof address === 'string' && !/^https:/i.test(address))
  if (body.application_type === undefined && isNative) body.application_type = 'native'
  body.redirect_uris = addresses.map((address) => standInOf(address, schemes))
}

/** Adds the tools' resource and scope, and `offline_access`: without it, the person would be asked every 15 minutes. */
function completeRequest(query: Fields, origin: string): Fields {
  const asked =
    typeof query.scope === 'string' && query.scope.trim() !== '' ? query.scope.trim().split(/\s+/) : [toolScope]
  return {
    ...query,
    resource: query.resource ?? toolsResource(origin),
    scope: [...new Set([...asked, 'offline_access'])].join(' '),
  }
}

/**
 * A code used twice was stolen, so what its first use received ends. The library ends the refresh tokens; access tokens need no
 * lookup, so the consent's date is moved and `connections.ts` refuses tokens from before it.
 */
async function endWhatCodeGave(db: Kysely<Database>, code: string, nowMs: number): Promise<void> {
  // Tokens are dated to the start of their second, so those of this second are refused too.
  const since = new Date(Math.floor(nowMs / 1_000) * 1_000 + 1_000)
  await sql`update sign_in."oauthConsent" c set "createdAt" = ${since}
    from sign_in."oauthRefreshToken" t
    where t."authorizationCodeId" = ${sha256(code).toString('base64url')} and c."clientId" = t."clientId"
      and c."userId" = t."userId" and c."referenceId" is not distinct from t."referenceId"`.execute(db)
}

const maxCodeLength = 500

/** The plugin; `schemes`: for desktop redirect addresses. Refuses 400 `invalid_client_metadata`, and 429 above `perDay`. */
export function registeredClients(
  { db, system }: { db: Kysely<Database>; system: Pick<SystemClock, 'nowMs'> },
  origin: string,
  schemes: readonly string[],
): BetterAuthPlugin {
  return {
    id: 'registered-clients',
    hooks: {
      before: [
        onRoutes(['/oauth2/register'], async (context) => {
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
          completeRegistration(body, schemes)
        }),
        {
          matcher: (context) => context.path === '/oauth2/authorize' && typeof context.query?.client_id === 'string',
          handler: createAuthMiddleware(async ({ query }) => ({
            context: { query: completeRequest((query ?? {}) as Fields, origin) },
          })),
        },
        onRoutes(['/oauth2/token'], async ({ body }) => {
          const { grant_type: grant, code } = (body ?? {}) as Fields
          if (grant === 'authorization_code' && typeof code === 'string' && code.length <= maxCodeLength)
            await endWhatCodeGave(db, code, system.nowMs())
        }),
      ],
      after: [
        // A crash before this leaves a client whose id nobody has received.
        onRoutes(['/oauth2/register'], async (context) => {
          const made = context.context.returned as Fields | undefined
          if (made instanceof Error || typeof made?.client_id !== 'string' || !Array.isArray(made.redirect_uris)) return
          const registered = made.redirect_uris as readonly string[]
          const addresses = registered.map((address) => addressOf(address, schemes))
          if (addresses.every((address, at) => address === registered[at])) return
          await sql`update sign_in."oauthClient" set "redirectUris" = ${JSON.stringify(addresses)}::jsonb
              where "clientId" = ${made.client_id}`.execute(db)
          context.setStatus(201)
          return context.json({ ...made, redirect_uris: addresses })
        }),
      ],
    },
  }
}
