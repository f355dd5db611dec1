/**
 * Redirect addresses of desktop programs (`cursor://…`). The library takes private schemes only in the form of reversed domains, so an
 * address whose scheme the operator allows is registered under a stand-in of that form, and put in its place once the client is made
 * (docs/decisions/0017).
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import type { Database } from '../platform/db/schema.ts'

type Fields = Readonly<Record<string, unknown>>

/** Schemes of programs that are known to sign people in this way; a setting names others. */
export const knownDesktopSchemes: readonly string[] = ['cursor', 'vscode', 'vscode-insiders']

const standInPrefix = 'internal.les-desktop:/'
const longestAddress = 500

/** A scheme, a name of the program, a path and a query: no login, no fragment, nothing a browser would write in another way. */
const desktopAddress = /^([a-z][a-z0-9+.-]*):\/\/[a-z0-9][a-z0-9._-]*(?:[/?][A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$/

/** True for an address of a desktop program whose scheme is one of these, letter for letter. */
export function isDesktopAddress(address: unknown, schemes: readonly string[]): address is string {
  if (typeof address !== 'string' || address.length > longestAddress) return false
  const scheme = desktopAddress.exec(address)?.[1]
  return scheme !== undefined && schemes.includes(scheme)
}

const standInOf = (address: string): string => `${standInPrefix}${Buffer.from(address).toString('base64url')}`

/** What a stand-in stands for; anything else is itself, also a stand-in somebody made up. */
export function addressOf(registered: string, schemes: readonly string[]): string {
  if (!registered.startsWith(standInPrefix)) return registered
  const address = Buffer.from(registered.slice(standInPrefix.length), 'base64url').toString()
  return isDesktopAddress(address, schemes) ? address : registered
}

/** A registration in which stand-ins stand for addresses that are allowed. */
export function withStandIns<F extends Fields>(body: F, schemes: readonly string[]): F {
  if (!Array.isArray(body.redirect_uris)) return body
  const redirectUris = body.redirect_uris.map((address: unknown) =>
    isDesktopAddress(address, schemes) ? standInOf(address) : address,
  )
  return { ...body, redirect_uris: redirectUris }
}

/** The plugin: gives a client that was just made its real addresses. A crash before it does leaves a client nobody was told of. */
export function desktopAddresses(db: Kysely<Database>, schemes: readonly string[]): BetterAuthPlugin {
  return {
    id: 'desktop-addresses',
    hooks: {
      after: [
        {
          matcher: (context) => context.path === '/oauth2/register',
          handler: createAuthMiddleware(async (context) => {
            const made = context.context.returned as Fields | undefined
            if (made instanceof Error || typeof made?.client_id !== 'string' || !Array.isArray(made.redirect_uris))
              return
            const registered = made.redirect_uris as readonly string[]
            const addresses = registered.map((address) => addressOf(address, schemes))
            if (addresses.every((address, at) => address === registered[at])) return
            await sql`update sign_in."oauthClient" set "redirectUris" = ${JSON.stringify(addresses)}::jsonb
              where "clientId" = ${made.client_id}`.execute(db)
            context.setStatus(201)
            return context.json({ ...made, redirect_uris: addresses })
          }),
        },
      ],
    },
  }
}
