/**
 * The authorization server for agent tools: what clients may ask for, and how a person's yes becomes a token for one
 * team of theirs (MCP-03).
 */
import { tryGetCurrentAuthEndpointContext } from '@better-auth/core/context'
import { mcp } from '@better-auth/mcp'
import { isUuid } from '@les/contract'
import { APIError } from 'better-auth/api'
import type { SignInParts } from './better-auth.ts'
import { findRole } from './memberships.ts'

/** The scope of the tools; what it lets a client do follows from the role of the person. */
export const toolScope = 'leads'

/** Seconds an access token is good for; who was removed, or took the app's access back, is refused at once all the same. */
export const accessTokenSeconds = 900

/**
 * Seconds for which a spent refresh token gives the very answer that its first use gave, so that a client whose answer was lost, or
 * of which two windows renew at once, stays connected. Any later use ends all of the client's tokens (decision 0017).
 */
export const refreshAnswerSeconds = 30

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

/** The plugin. */
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
