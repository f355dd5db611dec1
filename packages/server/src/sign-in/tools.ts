/**
 * Who the token of an agent tool speaks for. Checked with our own keys, without a call to ourselves; membership, role
 * and consent are read every time.
 */
import { verifyJwsAccessToken } from 'better-auth/oauth2'
import { isUuid } from '@les/contract'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Member } from '../modules/accounts/index.ts'
import { toolScope, toolsResource } from './authorization.ts'
import { signInPath, type Auth } from './better-auth.ts'
import { findConnected } from './connections.ts'

/** A member who let an app act for a team. */
export type ToolGuest = { readonly teamId: string; readonly member: Member }

/** The sign-in of agent tools. */
export type ToolSignIn = {
  /** Where clients read how to sign in (RFC 9728). */
  readonly resourceMetadata: string
  /** Recognises an access token; null for one that is not ours, has ended, is for something else, or whose access was taken back. */
  authenticate(token: string): Promise<ToolGuest | null>
}

type Parts = { readonly auth: () => Auth; readonly db: Reader; readonly origin: () => string }

const longestToken = 4_000

/** True of what can be read as the head of a token; jose throws its plain `TypeError` for anything else. */
function isHead(part: string): boolean {
  try {
    const head: unknown = /^[\w-]+$/.test(part) ? JSON.parse(Buffer.from(part, 'base64url').toString()) : null
    return typeof head === 'object' && head !== null && !Array.isArray(head)
  } catch {
    return false
  }
}

/** The claims of a token that we signed for the tools; null for any other. */
async function readClaims({ auth, origin }: Parts, token: string): Promise<Readonly<Record<string, unknown>> | null> {
  const parts = token.split('.')
  if (token.length > longestToken || parts.length !== 3 || !isHead(parts[0]!)) return null
  const made = auth()
  try {
    return await verifyJwsAccessToken(token, {
      // The types of the plugins' endpoints are lost in `authOptions`.
      jwksFetch: () => (made.api as unknown as { getJwks(): Promise<never> }).getJwks(),
      jwksCacheKey: made,
      verifyOptions: { issuer: `${origin()}${signInPath}`, audience: toolsResource(origin()), typ: 'at+jwt' },
    })
  } catch (error) {
    // What jose says of a token has a code of its own; anything else is trouble of ours.
    if (error instanceof Error && /^ERR_J/.test(String((error as { code?: unknown }).code))) return null
    throw error
  }
}

/** Makes it. */
export function openTools(parts: Parts): ToolSignIn {
  return {
    get resourceMetadata() {
      return `${parts.origin()}/.well-known/oauth-protected-resource/mcp`
    },
    authenticate: async (token) => {
      const claims = await readClaims(parts, token)
      // A token that is bound to a key of the client is worth nothing without the proof, which nobody checks here.
      if (claims === null || claims.cnf !== undefined) return null
      const { sub, azp, team, iat, scope } = claims
      if (
        typeof sub !== 'string' ||
        typeof azp !== 'string' ||
        typeof team !== 'string' ||
        !isUuid(team) ||
        typeof iat !== 'number'
      )
        return null
      if (
        !String(scope ?? '')
          .split(' ')
          .includes(toolScope)
      )
        return null
      const member = await findConnected(parts.db, {
        userId: sub,
        clientId: azp,
        teamId: team,
        by: new Date(iat * 1000),
      })
      return member && { teamId: team, member }
    },
  }
}
