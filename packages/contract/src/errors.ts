/**
 * The error table: one row per refusal, with its status, public code (null where the specification gives no stable name),
 * default message and the shape of its extra fields. Specification: «Errors»; decisions G3, G109, G110.
 */
import { z } from 'zod'
import { integer, textOrNull } from './values/index.ts'
import { contractVersions } from './values/contract-version.ts'

type ErrorRow = {
  readonly status: number
  readonly code: string | null
  readonly message: string
  readonly details: z.ZodObject
}

const none = z.object({})
const row = <const S extends number, const C extends string | null, D extends z.ZodObject = typeof none>(
  status: S,
  code: C,
  message: string,
  details: D = none as unknown as D,
) => ({ status, code, message, details })

const settingChanges = z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))
const wholeSettings = z.looseObject({})

const spendFigures = z.object({
  estimatedDailyMax: integer.optional().describe('Maximum credits this can cost per day.'),
  daysToExhaustAtCap: integer.optional().describe('Whole days that the balance lasts at that rate; 0 is a real value.'),
  remainingBalance: integer.optional().describe('Credits that the team can spend now.'),
  estimatedCredits: integer.optional().describe('Maximum credits this call costs.'),
  mode: z.enum(['engagers', 'posts_only']).optional(),
  postsPerSync: integer.nullable().optional(),
  creditCapPerSync: integer.nullable().optional(),
  previous: z
    .looseObject({ mode: z.enum(['engagers', 'posts_only']), postsPerSync: integer.nullable() })
    .optional()
    .describe('The previous settings; for a keyword search, all of its settings.'),
  creditCap: integer.optional().describe('Keyword searches: credits one run may spend.'),
  captureMode: z.enum(['depth', 'breadth']).optional(),
  datePosted: z.enum(['PAST_24_HOURS', 'PAST_WEEK', 'PAST_MONTH']).optional(),
  raised: z.array(z.string()).optional().describe('Keyword searches: settings that may spend more than before.'),
  plan: z
    .object({ perTopic: integer, people: integer, total: integer })
    .optional()
    .describe('Starting an agent: how the daily limit is split.'),
  dailyCredits: integer.nullable().optional().describe('Starting an agent: the daily limit; null on a free trial.'),
  discoverCost: integer
    .optional()
    .describe('Starting an agent: additional maximum credits of the one-off search for people.'),
  changed: settingChanges.optional().describe('Settings that would also change; requires confirmChanges: true.'),
})

export const contractErrors = {
  missing_key: row(401, null, 'Missing X-API-Key header'),
  invalid_key_header: row(401, null, 'Invalid API key: it is unknown or was revoked'),
  rate_limited: row(429, 'rate_limited', 'Rate limit exceeded: wait for the seconds in Retry-After and call again'),
  team_inactive: row(403, null, 'Team subscription not active'),
  trial_source: row(403, null, 'Sources of a free trial cannot be deleted until the team subscribes'),
  capture_not_allowed: row(403, null, 'The plan does not allow capture'),
  key_limit_reached: row(403, 'key_limit_reached', 'The team has as many API keys as it may have: revoke one first'),
  source_limit_reached: row(
    403,
    'source_limit_reached',
    'The team tracks as many sources as it may: untrack one first',
  ),
  trial_agent_limit: row(403, 'trial_agent_limit', 'A free trial has one agent'),
  agent_not_started: row(
    403,
    'agent_not_started',
    'The agent was not started: nothing could be set up, see `failed`',
    z.object({
      status: integer,
      failed: z.array(z.object({ part: z.string(), error: z.string(), code: textOrNull, status: integer })),
    }),
  ),
  no_such_endpoint: row(404, 'not_found', 'No such endpoint'),
  method_not_allowed: row(
    405,
    'method_not_allowed',
    'This path does not serve that method',
    z.object({ allowed: z.array(z.string()) }),
  ),
  body_too_large: row(413, null, 'The request body is too large'),
  invalid_json: row(400, 'invalid_json', 'The request body must be a JSON object'),
  invalid_request: row(400, null, 'The request is not valid'),
  unknown_field: row(400, 'unknown_field', 'Unknown field'),
  renamed_field: row(400, 'renamed_field', 'That field was renamed'),
  invalid_urn: row(400, 'invalid_urn', 'A targeting filter takes ids: a handle or a name is none'),
  invalid_contract_version: row(
    400,
    'invalid_contract_version',
    `\`contractVersion\` must be ${contractVersions.spend} (the spend contract) ` +
      `or, before the cut-over, ${contractVersions.older}`,
  ),
  scope_required: row(
    400,
    'scope_required',
    'The spend contract requires `creditCap`, `captureMode` and `datePosted`',
    z.object({ missing: z.array(z.string()) }),
  ),
  no_capture_target: row(
    400,
    'no_capture_target',
    '`captureEngagers` must not be false without `capturePostAuthors: true`: the search would capture nobody',
  ),
  no_webhook: row(400, 'no_webhook', 'No webhook URL is set: set one first'),
  agent_no_topics: row(400, 'agent_no_topics', 'The agent has no topics: set some first'),
  agent_daily_credits_required: row(
    400,
    'agent_daily_credits_required',
    'The agent has no daily limit: send `dailyCredits`',
  ),
  keyword_not_syncable: row(
    400,
    null,
    'A keyword search runs on its own schedule and cannot be synced by hand: see its schedule',
  ),
  idempotency_key_invalid: row(400, null, 'Idempotency-Key must be 1 to 255 printable characters'),
  not_found: row(404, null, 'Not found'),
  lead_not_found: row(404, null, 'Lead not found', z.object({ jobId: z.string().optional() })),
  not_tracked: row(404, null, 'Not tracked: no active source has that identifier'),
  company_not_found: row(404, null, 'Company page not found on the network'),
  profile_not_found: row(404, null, 'Profile not found on the network'),
  identifier_in_use: row(409, 'identifier_in_use', 'That identifier is held by a source of another kind'),
  settings_conflict: row(
    409,
    'settings_conflict',
    'This search exists, and the request would rewrite what it looks for: send the same request with confirmChanges: true to go ahead',
    z.object({ previous: wholeSettings, settings: wholeSettings, changed: settingChanges }),
  ),
  spend_confirmation_required: row(
    409,
    'spend_confirmation_required',
    'This creates or raises a charge: send the same request with confirmSpend: true to go ahead',
    spendFigures,
  ),
  insufficient_enriching_credits: row(
    402,
    'insufficient_enriching_credits',
    'Not enough enriching credits',
    z.object({ estimatedCredits: integer.optional(), remainingBalance: integer.optional() }),
  ),
  credentials_rejected: row(409, 'credentials_rejected', 'The platform refuses these credentials: nothing was stored'),
  scope_missing: row(
    409,
    'scope_missing',
    'The credentials lack a scope that deliveries need: grant it, and try again',
    z.object({ missing: z.array(z.string()) }),
  ),
  destination_setup_missing: row(
    409,
    'setup_missing',
    'Something that deliveries need is missing on the platform: see the message, set it up, and try again',
    z.object({ missing: z.array(z.string()) }),
  ),
  destination_limit_reached: row(
    403,
    'destination_limit_reached',
    'The team has as many destinations as it may have: delete one first',
  ),
  hook_limit_reached: row(403, 'hook_limit_reached', 'The team has as many hooks as it may have: delete one first'),
  destination_unavailable: row(
    502,
    'destination_unavailable',
    'The platform did not answer: nothing was changed; try again',
  ),
  idempotency_in_flight: row(
    409,
    'idempotency_in_flight',
    'A request with this Idempotency-Key is still being worked on: try again in a moment',
  ),
  idempotency_key_reused: row(422, 'idempotency_key_reused', 'This Idempotency-Key was used with another request body'),
  agent_not_found: row(404, 'agent_not_found', 'No such agent'),
  campaign_closed: row(400, 'campaign_closed', 'That campaign takes no leads: it is a draft, or it is over'),
  no_senders: row(400, 'no_senders', 'That campaign has no sender account yet: add one on the outreach platform first'),
  no_enriched_lead: row(404, null, 'None of these is an enriched lead of the team'),
  campaign_not_found: row(404, null, 'No such campaign on the outreach platform'),
  already_disputed: row(
    409,
    'already_disputed',
    'That charge has been disputed already',
    z.object({ disputeId: z.string() }),
  ),
  not_connected: row(409, 'not_connected', 'The outreach platform is not connected: store its key first'),
  outreach_key_rejected: row(
    409,
    'invalid_key',
    'The outreach platform rejects the key that is stored: store a good one',
  ),
  outreach_unavailable: row(
    502,
    null,
    'The outreach platform did not answer: try again',
    z.object({
      partial: z.looseObject({}).optional().describe('For a send: the counts of a successful response, so far.'),
    }),
  ),
  internal: row(500, null, 'Unexpected server error: read the state again before you retry'),
  provider_unavailable: row(
    502,
    'provider_unavailable',
    'The network did not answer: nothing was changed and nothing was charged; try again',
  ),
  mode_unreadable: row(502, null, 'The current mode of the source could not be read: nothing was changed; try again'),
  agent_save_failed: row(
    502,
    null,
    'The agent could not be saved: searches that were made go on, and starting it again takes them up',
  ),
  post_resolve_failed: row(
    503,
    'post_resolve_failed',
    'The network did not say whether that post exists: nothing was created; try again',
  ),
  agent_unavailable: row(503, 'agent_unavailable', 'The agent feature is not available on this server'),
  unavailable: row(
    503,
    null,
    'The service cannot do this right now: wait for the seconds in Retry-After and try again; ' +
      'after a write, read the state first, or repeat it under the same Idempotency-Key',
  ),
} as const satisfies Record<string, ErrorRow>

export const sessionErrors = {
  export_outdated: row(
    410,
    'export_outdated',
    'Somebody may have been excluded since this file was made: make it anew with POST /exports',
  ),
  dispute_settled: row(409, 'dispute_settled', 'That dispute is settled'),
  session_required: row(401, 'session_required', 'Nobody is signed in: sign in and try again'),
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
  ),
  origin_refused: row(403, 'origin_refused', 'The request came from another site'),
  team_limit_reached: row(
    403,
    'team_limit_reached',
    'One person has one free trial, and you have had yours: ask the operator of this service for another team',
  ),
  sign_up_closed: row(
    403,
    'sign_up_closed',
    'Teams are opened by the operator of this service: ask them for an invitation',
  ),
  view_limit_reached: row(
    403,
    'view_limit_reached',
    'The team has as many saved views as it may have: delete one first',
  ),
  member_exists: row(409, 'member_exists', 'That person is a member already'),
  invitation_limit_reached: row(
    403,
    'invitation_limit_reached',
    'The team has sent as many invitations as it may in 7 days',
  ),
  last_owner: row(409, 'last_owner', 'A team needs an owner: make somebody else an owner first'),
  credential_rejected: row(
    409,
    'credential_rejected',
    'The key was refused by the service it is for: nothing was stored',
  ),
  credential_missing: row(409, 'credential_missing', 'No key of that AI vendor is stored: add it under Settings'),
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
  ),
  send_begun: row(409, 'send_begun', 'This send has begun, or is over: it cannot be undone any more'),
  too_many_to_send: row(409, 'too_many_to_send', 'That is more than one send takes: narrow the list first'),
  not_replayable: row(409, 'not_replayable', 'This delivery is on its way already, or was given up'),
} as const

/** Every refusal by key; handlers name keys, and the edge turns them into answers. */
export const errorTable = { ...contractErrors, ...sessionErrors } as const satisfies Record<string, ErrorRow>

export type ErrorKey = keyof typeof errorTable

export type ErrorDetails<K extends ErrorKey> = z.input<(typeof errorTable)[K]['details']>

/** The body of every error answer (specification «Errors»; G110 adds `requestId`). */
export const errorBody = z
  .looseObject({
    error: z.string().describe('What went wrong and how to fix it.'),
    code: z.string().optional().describe('Stable error code, when there is one.'),
    requestId: z.string().optional().describe('Id of this request; also in X-Request-Id.'),
  })
  .meta({ id: 'Error' })
