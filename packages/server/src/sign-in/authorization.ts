/**
 * The authorization server for agent tools (MCP-03): what clients may ask for, how a person's yes becomes a token for one team of
 * theirs, and who such a token speaks for. Tokens are checked with our own keys, without a call to ourselves; membership, role and
 * consent are read every time.
 */
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

/** The scope of the tools; what it lets a client do follows from the role of the person. */
export const toolScope = 'leads'

/** Seconds an access token is good for; who was removed, or took the app's access back, is refused at once all the same. */
const accessTokenSeconds = 900

/**
 * Seconds for which a spent refresh token gives the very answer that its first use gave, so that a client whose answer was lost, or
 * of which two windows renew at once, stays connected. Any later use ends all of the client's tokens (decision 0017).
 */
const refreshAnswerSeconds = 30

/** What the tools are called in tokens. */
export const toolsResource = (origin: string): string => `${origin}/mcp`

/** The team that stands for none yet: no consent is ever given for it, so every authorization goes by the page that asks. */
const undecided = 'undecided'

/** The team that the person chose with their yes; refuses a team that is not theirs. */
async function chosenTeam(parts: SignInParts, userId: string): Promise<string> {
  const { request } = tryGetCurrentAuthEndpointContext() ?? {}
  // The library answers the person's yes by authorizing once more: the request itself stays the page's.
  const asked = request === undefined ? null : new URL(request.url)
  if (!asked?.pathname.endsWith('/oauth2/consent')) return undecided
  const team = asked.searchParams.get('team')?.toLowerCase() ?? ''
  if (!isUuid(team) || (await findRole(parts.db, userId, team)) === null)
    throw new APIError('BAD_REQUEST', { code: 'TEAM_REQUIRED', message: 'Choose one of your teams' })
  return team
}

/** The team that stands in a token; refuses `invalid_grant` when the person is not in it any more. */
async function teamClaim(
  parts: SignInParts,
  userId: string | undefined,
  team: string | undefined,
): Promise<{ readonly team: string }> {
  if (
    userId === undefined ||
    team === undefined ||
    !isUuid(team) ||
    (await findRole(parts.db, userId, team)) === null
  ) {
    throw new APIError('BAD_REQUEST', {
      error: 'invalid_grant',
      error_description: 'The person is not a member of the team any more',
    })
  }
  return { team }
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
    // Tokens are checked without proofs of possession, so none are promised.
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

/** A member who let an app act for a team. */
type ToolGuest = { readonly teamId: string; readonly member: Member }

/** The sign-in of agent tools. */
export type ToolSignIn = {
  /** Where clients read how to sign in (RFC 9728). */
  readonly resourceMetadata: string
  /** Recognises an access token; null for one that is not ours, has ended, is for something else, or whose access was taken back. */
  authenticate(token: string): Promise<ToolGuest | null>
}

type ToolParts = { readonly auth: () => { readonly api: object }; readonly db: Reader; readonly origin: () => string }

const maxTokenLength = 4_000

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
async function readClaims(
  { auth, origin }: ToolParts,
  token: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const parts = token.split('.')
  if (token.length > maxTokenLength || parts.length !== 3 || !isHead(parts[0]!)) return null
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

export function openTools(parts: ToolParts): ToolSignIn {
  return {
    get resourceMetadata() {
      return `${parts.origin()}/.well-known/oauth-protected-resource/mcp`
    },
    authenticate: async (token) => {
      const claims = await readClaims(parts, token)
      // A token that is bound to a key of the client is worth nothing without the proof, which nobody checks here.
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
