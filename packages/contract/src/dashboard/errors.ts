/** Refusals that only the dashboard's own operations know; see `errors.ts` for what a row is. */
import { z } from 'zod'
import { integer } from '../values/index.ts'

const none = z.object({})
const row = <const S extends number, const C extends string, D extends z.ZodObject>(
  status: S,
  code: C,
  message: string,
  details: D,
) => ({ status, code, message, details })

/** The rows by key. */
export const sessionErrors = {
  session_required: row(401, 'session_required', 'Nobody is signed in: sign in and try again', none),
  role_required: row(
    403,
    'role_required',
    'Your role in this team does not allow it',
    z.object({ needed: z.enum(['viewer', 'member', 'owner']) }),
  ),
  not_for_apps: row(
    403,
    'not_for_apps',
    'An app that was connected by signing in may neither make nor revoke API keys',
    none,
  ),
  origin_refused: row(403, 'origin_refused', 'The request came from another site', none),
  team_limit_reached: row(
    403,
    'team_limit_reached',
    'One person has one free trial, and you have had yours: ask the operator of this service for another team',
    none,
  ),
  sign_up_closed: row(
    403,
    'sign_up_closed',
    'Teams are opened by the operator of this service: ask them for an invitation',
    none,
  ),
  view_limit_reached: row(
    403,
    'view_limit_reached',
    'The team has as many saved views as it may have: delete one first',
    none,
  ),
  member_exists: row(409, 'member_exists', 'That person is a member already', none),
  invitation_limit_reached: row(
    403,
    'invitation_limit_reached',
    'The team has sent as many invitations as it may in 7 days',
    none,
  ),
  last_owner: row(409, 'last_owner', 'A team needs an owner: make somebody else an owner first', none),
  credential_rejected: row(
    409,
    'credential_rejected',
    'The key was refused by the service it is for: nothing was stored',
    none,
  ),
  credential_missing: row(409, 'credential_missing', 'No key of that AI vendor is stored: add it under Settings', none),
  preview_outdated: row(
    409,
    'preview_outdated',
    'More would go by now than the preview has shown: look at it again',
    z.object({ goes: integer }),
  ),
  changes_outdated: row(
    409,
    'changes_outdated',
    'By now something else would change than the preview has shown: look at it again',
    none,
  ),
  send_begun: row(409, 'send_begun', 'This send has begun, or is over: it cannot be undone any more', none),
  too_many_to_send: row(409, 'too_many_to_send', 'That is more than one send takes: narrow the list first', none),
  not_replayable: row(409, 'not_replayable', 'This delivery is on its way already, or was given up', none),
} as const
