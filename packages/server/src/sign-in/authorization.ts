/** The authorization server for agent tools (MCP-03). Tokens are verified with our own keys; role and consent are always read. */
import { tryGetCurrentAuthEndpointContext } from '@better-auth/core/context'
import { mcp } from '@better-auth/mcp'
import { isUuid } from '@les/contract'
import { APIError } from 'better-auth/api'
import { verifyJwsAccessToken } from 'better-auth/oauth2'
import type { Member } from '../modules/accounts/index.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import { findConnected } from './connections.ts'
import { findRole } from './memberships.ts'
import { signInPath, type SignInParts } from './parts.ts'

/** The scope of the tools; what a client may do follows from the person's role. */
export const toolScope = 'leads'

/** Seconds. A removed member or a revoked app is refused at once all the same. */
const accessTokenSeconds = 900

/** Seconds in which a used refresh token repeats its answer; later use ends all of the client's tokens (decision 0017). */
const refreshAnswerSeconds = 30

/** The name of the tools in tokens. */
export const toolsResource = (origin: string): string => `${origin}/mcp`

/** The team before one is chosen. No consent ever has it, so every authorization shows the consent page. */
const undecided = 'undecided'

async function chosenTeam(parts: SignInParts, userId: string): Promise<string> {
  const { request } = tryGetCurrentAuthEndpointContext() ?? {}
  // After the person's consent, the library authorizes again within the same request, so the URL is still the consent page's.
  const asked = request === undefined ? null : new URL(request.url)
  if (!asked?.pathname.endsWith('/oauth2/consent')) return undecided
  const team = asked.searchParams.get('team')?.toLowerCase() ?? ''
  if (!isUuid(team) || (await findRole(parts.db, userId, team)) === null)
    throw new APIError('BAD_REQUEST', { code: 'TEAM_REQUIRED', message: 'Choose one of your teams' })
  return team
}

async function teamClaim(parts: SignInParts, userId = '', team = ''): Promise<{ readonly team: string }> {
  if (isUuid(team) && (await findRole(parts.db, userId, team)) !== null) return { team }
  throw new APIError('BAD_REQUEST', {
    error: 'invalid_grant',
    error_description: 'The person is not a member of the team any more',
  })
}

export const authorizationServer = (parts: SignInParts, origin: string) =>
  mcp({
    loginPage: '/sign-in',
    consentPage: '/consent',
    resource: toolsResource(origin),
    scopes: ['openid', 'profile', 'email', 'offline_access', toolScope],
    grantTypes: ['authorization_code', 'refresh_token'],
    accessTokenExpiresIn: accessTokenSeconds,
    refreshTokenReuseInterval: refreshAnswerSeconds,
    // Proofs of possession are not checked, so none are offered.
    dpop: { signingAlgorithms: [] },
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    postLogin: {
      page: '/consent',
      shouldRedirect: () => false,
      consentReferenceId: ({ user }) => chosenTeam(parts, user.id),
    },
    customAccessTokenClaims: ({ user, referenceId }) => teamClaim(parts, user?.id, referenceId),
  })

type ToolGuest = { readonly teamId: string; readonly member: Member }

/** The sign-in of agent tools; `resourceMetadata` is the URL that tells clients how to sign in (RFC 9728). */
export type ToolSignIn = {
  readonly resourceMetadata: string
  /** Null for a token that is not ours, has expired, is for another resource, or whose access was revoked. */
  authenticate(token: string): Promise<ToolGuest | null>
}

type ToolParts = { readonly auth: () => { readonly api: object }; readonly db: Reader; readonly origin: () => string }

const maxTokenLength = 4_000

/** True for a readable token header; jose throws a plain `TypeError` for any other. */
function isHead(part: string): boolean {
  try {
    const head: unknown = /^[\w-]+$/.test(part) ? JSON.parse(Buffer.from(part, 'base64url').toString()) : null
    return typeof head === 'object' && head !== null && !Array.isArray(head)
  } catch {
    return false
  }
}

async function readClaims({ auth, origin }: ToolParts, token: string): Promise<Record<string, unknown> | null> {
  const parts = token.split('.')
  if (token.length > maxTokenLength || parts.length !== 3 || !isHead(parts[0]!)) return null
  const made = auth()
  try {
    return await verifyJwsAccessToken(token, {
      // `authOptions` loses the types of the plugins' endpoints.
      jwksFetch: () => (made.api as unknown as { getJwks(): Promise<never> }).getJwks(),
      jwksCacheKey: made,
      verifyOptions: { issuer: `${origin()}${signInPath}`, audience: toolsResource(origin()), typ: 'at+jwt' },
    })
  } catch (error) {
    // jose's errors about a token have such a code; any other error is ours.
    if (error instanceof Error && /^ERR_J/.test(String((error as { code?: unknown }).code))) return null
    throw error
  }
}

export function openTools(parts: ToolParts): ToolSignIn {
  return {
    get resourceMetadata() {
      return `${parts.origin()}/.well-known/oauth-protected-resource/mcp`
    },
    authenticate: async (token) => {
      const claims = await readClaims(parts, token)
      // A token bound to a client's key needs a proof, which is not checked here.
      if (claims === null || claims.cnf !== undefined) return null
      const { sub: userId, azp: clientId, team: teamId, iat, scope } = claims
      if (typeof userId !== 'string' || typeof clientId !== 'string' || typeof iat !== 'number') return null
      const scopes = String(scope ?? '').split(' ')
      if (typeof teamId !== 'string' || !isUuid(teamId) || !scopes.includes(toolScope)) return null
      const member = await findConnected(parts.db, { userId, clientId, teamId, by: new Date(iat * 1000) })
      return member && { teamId, member }
    },
  }
}
