/** Statuses and codes of refusals, from the specification («Errors») and the decisions, because callers rely on them. */
import { describe, expect, it } from 'vitest'
import { adviceFor, contractErrors, errorTable } from '../src/index.ts'

/** Status and code; null if the specification gives no stable code. */
const promised: Readonly<Record<string, readonly [number, string | null]>> = {
  idempotency_key_invalid: [400, null],
  invalid_request: [400, null],
  keyword_not_syncable: [400, null],
  agent_daily_credits_required: [400, 'agent_daily_credits_required'],
  agent_no_topics: [400, 'agent_no_topics'],
  campaign_closed: [400, 'campaign_closed'],
  invalid_contract_version: [400, 'invalid_contract_version'],
  invalid_json: [400, 'invalid_json'],
  invalid_urn: [400, 'invalid_urn'],
  no_capture_target: [400, 'no_capture_target'],
  no_senders: [400, 'no_senders'],
  no_webhook: [400, 'no_webhook'],
  renamed_field: [400, 'renamed_field'],
  scope_required: [400, 'scope_required'],
  unknown_field: [400, 'unknown_field'],
  invalid_key_header: [401, null],
  missing_key: [401, null],
  session_required: [401, 'session_required'],
  insufficient_enriching_credits: [402, 'insufficient_enriching_credits'],
  capture_not_allowed: [403, null],
  team_inactive: [403, null],
  trial_source: [403, null],
  agent_not_started: [403, 'agent_not_started'],
  invitation_limit_reached: [403, 'invitation_limit_reached'],
  key_limit_reached: [403, 'key_limit_reached'],
  source_limit_reached: [403, 'source_limit_reached'],
  origin_refused: [403, 'origin_refused'],
  role_required: [403, 'role_required'],
  team_limit_reached: [403, 'team_limit_reached'],
  sign_up_closed: [403, 'sign_up_closed'],
  trial_agent_limit: [403, 'trial_agent_limit'],
  view_limit_reached: [403, 'view_limit_reached'],
  campaign_not_found: [404, null],
  company_not_found: [404, null],
  lead_not_found: [404, null],
  no_enriched_lead: [404, null],
  not_found: [404, null],
  not_tracked: [404, null],
  profile_not_found: [404, null],
  agent_not_found: [404, 'agent_not_found'],
  no_such_endpoint: [404, 'not_found'],
  method_not_allowed: [405, 'method_not_allowed'],
  changes_outdated: [409, 'changes_outdated'],
  credential_missing: [409, 'credential_missing'],
  credential_rejected: [409, 'credential_rejected'],
  idempotency_in_flight: [409, 'idempotency_in_flight'],
  identifier_in_use: [409, 'identifier_in_use'],
  already_disputed: [409, 'already_disputed'],
  dispute_settled: [409, 'dispute_settled'],
  last_owner: [409, 'last_owner'],
  member_exists: [409, 'member_exists'],
  not_connected: [409, 'not_connected'],
  credentials_rejected: [409, 'credentials_rejected'],
  export_outdated: [410, 'export_outdated'],
  scope_missing: [409, 'scope_missing'],
  destination_setup_missing: [409, 'setup_missing'],
  destination_limit_reached: [403, 'destination_limit_reached'],
  hook_limit_reached: [403, 'hook_limit_reached'],
  destination_unavailable: [502, 'destination_unavailable'],
  not_for_apps: [403, 'not_for_apps'],
  not_replayable: [409, 'not_replayable'],
  preview_outdated: [409, 'preview_outdated'],
  send_begun: [409, 'send_begun'],
  too_many_to_send: [409, 'too_many_to_send'],
  outreach_key_rejected: [409, 'invalid_key'],
  settings_conflict: [409, 'settings_conflict'],
  spend_confirmation_required: [409, 'spend_confirmation_required'],
  body_too_large: [413, null],
  idempotency_key_reused: [422, 'idempotency_key_reused'],
  rate_limited: [429, 'rate_limited'],
  internal: [500, null],
  agent_save_failed: [502, null],
  mode_unreadable: [502, null],
  outreach_unavailable: [502, null],
  provider_unavailable: [502, 'provider_unavailable'],
  agent_unavailable: [503, 'agent_unavailable'],
  post_resolve_failed: [503, 'post_resolve_failed'],
  unavailable: [503, null],
}

describe('the error table', () => {
  it('has exactly the refusals written down, each with its status and its code [ERR-01, ERR-02]', () => {
    expect(
      Object.fromEntries(Object.entries(errorTable).map(([key, { status, code }]) => [key, [status, code]])),
    ).toEqual(promised)
  })

  it('every row of the interface has advice: by its code, or by its status where it has none', () => {
    const unknown = adviceFor(0, null)
    const rows = Object.values(contractErrors) as { status: number; code: string | null }[]
    expect(rows.filter(({ code }) => code !== null && adviceFor(0, code) === unknown)).toEqual([])
    expect(rows.filter(({ status, code }) => code === null && adviceFor(status, null) === unknown)).toEqual([])
  })
})
