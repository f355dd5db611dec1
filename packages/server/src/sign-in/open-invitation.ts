/**
 * `POST /invitation/read`: what an invitation is to, for whoever holds its token and has no session yet, so that the sign-up form
 * can say who invites to which team. Limited by address like the other routes of sign-in (`limits.ts`).
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import type { SignInParts } from './better-auth.ts'
import { findInvitation } from './invitations.ts'
import { operatorWords } from './mails.ts'

/** Where it lies below the sign-in's own path. */
export const readInvitationPath = '/invitation/read'

const longestToken = 200

/** The plugin; answers 404 `INVITATION_NOT_FOUND`, the same for a token that is unknown, used, taken back, too old or none at all. */
export function openInvitation(parts: Pick<SignInParts, 'db' | 'serviceNow'>): BetterAuthPlugin {
  return {
    id: 'open-invitation',
    endpoints: {
      readOpenInvitation: createAuthEndpoint(readInvitationPath, { method: 'POST' }, async (context) => {
        const token = (context.body as { readonly token?: unknown } | undefined)?.token
        const found =
          typeof token === 'string' && token.length <= longestToken
            ? await findInvitation(parts.db, token, await parts.serviceNow())
            : null
        if (found === null)
          throw new APIError('NOT_FOUND', {
            code: 'INVITATION_NOT_FOUND',
            message: 'This invitation is not good any more: ask for a new one',
          })
        const { teamName, role, email, invitedBy } = found
        return context.json({ teamName, role, email, invitedBy: invitedBy ?? operatorWords })
      }),
    },
  }
}
