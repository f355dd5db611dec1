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
const row = <D extends z.ZodObject = typeof none>(status: number, message: string, details = none as unknown as D) => ({
  status,
  message,
  details,
})

/** A row without a stable code. */
const uncoded = <D extends z.ZodObject = typeof none>(status: number, message: string, details?: D) => ({
  ...row(status, message, details),
  code: null,
})

/** The code of a row is its key unless the row says otherwise. */
const coded = <T extends Record<string, Omit<ErrorRow, 'code'>>>(rows: T) =>
  Object.fromEntries(Object.entries(rows).map(([key, written]) => [key, { code: key, ...written }])) as {
    readonly [K in keyof T]: T[K] & Pick<ErrorRow, 'code'>
  }

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

export const contractErrors = coded({
  missing_key: uncoded(401, 'Missing X-API-Key header'),
  invalid_key_header: uncoded(401, 'Invalid API key: it is unknown or was revoked'),
  rate_limited: row(429, 'Rate limit exceeded: wait for the seconds in Retry-After and call again'),
  team_inactive: uncoded(403, 'Team subscription not active'),
  trial_source: uncoded(403, 'Sources of a free trial cannot be deleted until the team subscribes'),
  capture_not_allowed: uncoded(403, 'The plan does not allow capture'),
  key_limit_reached: row(403, 'The team has as many API keys as it may have: revoke one first'),
  source_limit_reached: row(403, 'The team tracks as many sources as it may: untrack one first'),
  trial_agent_limit: row(403, 'A free trial has one agent'),
  agent_not_started: row(
    403,
    'The agent was not started: nothing could be set up, see `failed`',
    z.object({
      status: integer,
      failed: z.array(z.object({ part: z.string(), error: z.string(), code: textOrNull, status: integer })),
    }),
  ),
  no_such_endpoint: { ...row(404, 'No such endpoint'), code: 'not_found' },
  method_not_allowed: row(405, 'This path does not serve that method', z.object({ allowed: z.array(z.string()) })),
  body_too_large: uncoded(413, 'The request body is too large'),
  invalid_json: row(400, 'The request body must be a JSON object'),
  invalid_request: uncoded(400, 'The request is not valid'),
  unknown_field: row(400, 'Unknown field'),
  renamed_field: row(400, 'That field was renamed'),
  invalid_urn: row(400, 'A targeting filter takes ids: a handle or a name is none'),
  invalid_contract_version: row(
    400,
    `\`contractVersion\` must be ${contractVersions.spend} (the spend contract) ` +
      `or, before the cut-over, ${contractVersions.older}`,
  ),
  scope_required: row(
    400,
    'The spend contract requires `creditCap`, `captureMode` and `datePosted`',
    z.object({ missing: z.array(z.string()) }),
  ),
  no_capture_target: row(
    400,
    '`captureEngagers` must not be false without `capturePostAuthors: true`: the search would capture nobody',
  ),
  no_webhook: row(400, 'No webhook URL is set: set one first'),
  agent_no_topics: row(400, 'The agent has no topics: set some first'),
  agent_daily_credits_required: row(400, 'The agent has no daily limit: send `dailyCredits`'),
  keyword_not_syncable: uncoded(
    400,
    'A keyword search runs on its own schedule and cannot be synced by hand: see its schedule',
  ),
  idempotency_key_invalid: uncoded(400, 'Idempotency-Key must be 1 to 255 printable characters'),
  not_found: uncoded(404, 'Not found'),
  lead_not_found: uncoded(404, 'Lead not found', z.object({ jobId: z.string().optional() })),
  not_tracked: uncoded(404, 'Not tracked: no active source has that identifier'),
  company_not_found: uncoded(404, 'Company page not found on the network'),
  profile_not_found: uncoded(404, 'Profile not found on the network'),
  identifier_in_use: row(409, 'That identifier is held by a source of another kind'),
  settings_conflict: row(
    409,
    'This search exists, and the request would rewrite what it looks for: send the same request with confirmChanges: true to go ahead',
    z.object({ previous: wholeSettings, settings: wholeSettings, changed: settingChanges }),
  ),
  spend_confirmation_required: row(
    409,
    'This creates or raises a charge: send the same request with confirmSpend: true to go ahead',
    spendFigures,
  ),
  insufficient_enriching_credits: row(
    402,
    'Not enough enriching credits',
    z.object({ estimatedCredits: integer.optional(), remainingBalance: integer.optional() }),
  ),
  credentials_rejected: row(409, 'The platform refuses these credentials: nothing was stored'),
  scope_missing: row(
    409,
    'The credentials lack a scope that deliveries need: grant it, and try again',
    z.object({ missing: z.array(z.string()) }),
  ),
  destination_setup_missing: {
    ...row(
      409,
      'Something that deliveries need is missing on the platform: see the message, set it up, and try again',
      z.object({ missing: z.array(z.string()) }),
    ),
    code: 'setup_missing',
  },
  destination_limit_reached: row(403, 'The team has as many destinations as it may have: delete one first'),
  hook_limit_reached: row(403, 'The team has as many hooks as it may have: delete one first'),
  destination_unavailable: row(502, 'The platform did not answer: nothing was changed; try again'),
  idempotency_in_flight: row(
    409,
    'A request with this Idempotency-Key is still being worked on: try again in a moment',
  ),
  idempotency_key_reused: row(422, 'This Idempotency-Key was used with another request body'),
  agent_not_found: row(404, 'No such agent'),
  campaign_closed: row(400, 'That campaign takes no leads: it is a draft, or it is over'),
  no_senders: row(400, 'That campaign has no sender account yet: add one on the outreach platform first'),
  no_enriched_lead: uncoded(404, 'None of these is an enriched lead of the team'),
  campaign_not_found: uncoded(404, 'No such campaign on the outreach platform'),
  already_disputed: row(409, 'That charge has been disputed already', z.object({ disputeId: z.string() })),
  not_connected: row(409, 'The outreach platform is not connected: store its key first'),
  outreach_key_rejected: {
    ...row(409, 'The outreach platform rejects the key that is stored: store a good one'),
    code: 'invalid_key',
  },
  outreach_unavailable: uncoded(
    502,
    'The outreach platform did not answer: try again',
    z.object({
      partial: z.looseObject({}).optional().describe('For a send: the counts of a successful response, so far.'),
    }),
  ),
  internal: uncoded(500, 'Unexpected server error: read the state again before you retry'),
  provider_unavailable: row(502, 'The network did not answer: nothing was changed and nothing was charged; try again'),
  mode_unreadable: uncoded(502, 'The current mode of the source could not be read: nothing was changed; try again'),
  agent_save_failed: uncoded(
    502,
    'The agent could not be saved: searches that were made go on, and starting it again takes them up',
  ),
  post_resolve_failed: row(503, 'The network did not say whether that post exists: nothing was created; try again'),
  agent_unavailable: row(503, 'The agent feature is not available on this server'),
  unavailable: uncoded(
    503,
    'The service cannot do this right now: wait for the seconds in Retry-After and try again; ' +
      'after a write, read the state first, or repeat it under the same Idempotency-Key',
  ),
})

const sessionErrors = coded({
  export_outdated: row(
    410,
    'Somebody may have been excluded since this file was made: make it anew with POST /exports',
  ),
  dispute_settled: row(409, 'That dispute is settled'),
  session_required: row(401, 'Nobody is signed in: sign in and try again'),
  role_required: row(
    403,
    'Your role in this team does not allow it',
    z.object({ needed: z.enum(['viewer', 'member', 'owner']) }),
  ),
  not_for_apps: row(403, 'An app that was connected by signing in may neither make nor revoke API keys'),
  origin_refused: row(403, 'The request came from another site'),
  team_limit_reached: row(
    403,
    'One person has one free trial, and you have had yours: ask the operator of this service for another team',
  ),
  sign_up_closed: row(403, 'Teams are opened by the operator of this service: ask them for an invitation'),
  view_limit_reached: row(403, 'The team has as many saved views as it may have: delete one first'),
  member_exists: row(409, 'That person is a member already'),
  invitation_limit_reached: row(403, 'The team has sent as many invitations as it may in 7 days'),
  last_owner: row(409, 'A team needs an owner: make somebody else an owner first'),
  credential_rejected: row(409, 'The key was refused by the service it is for: nothing was stored'),
  credential_missing: row(409, 'No key of that AI vendor is stored: add it under Settings'),
  preview_outdated: row(
    409,
    'More would go by now than the preview has shown: look at it again',
    z.object({ goes: integer }),
  ),
  changes_outdated: row(409, 'By now something else would change than the preview has shown: look at it again'),
  send_begun: row(409, 'This send has begun, or is over: it cannot be undone any more'),
  too_many_to_send: row(409, 'That is more than one send takes: narrow the list first'),
  not_replayable: row(409, 'This delivery is on its way already, or was given up'),
})

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
