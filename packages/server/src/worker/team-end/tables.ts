/** Every table with rows of a team, referencing ones first. Only here are others' tables written: an end needs one order. */
/** `teamColumn` names the team. */
export type TeamTable = { readonly name: string; readonly teamColumn: string }

const named = (...names: readonly string[]): TeamTable[] => names.map((name) => ({ name, teamColumn: 'team_id' }))

/** In the order of deletion. */
export const teamTables: readonly TeamTable[] = [
  // Callers that could still ask for the team.
  ...named('api_key', 'team_credential', 'sign_in.invitation', 'sign_in.membership', 'blocked_person', 'erasure'),
  { name: 'sign_in.oauthAccessToken', teamColumn: 'referenceId' },
  { name: 'sign_in.oauthRefreshToken', teamColumn: 'referenceId' },
  { name: 'sign_in.oauthConsent', teamColumn: 'referenceId' },
  // What was sent, and what waits to be sent.
  ...named('push_lead', 'push', 'delivery_attempt', 'delivery', 'webhook', 'planned_send_part', 'planned_send'),
  ...named('destination_delivery', 'destination_record', 'destination_day', 'destination'),
  ...named('lead_export_part', 'lead_export', 'result', 'result_inbox', 'result_feed'),
  ...named(
    'outreach_queue',
    'outreach_history',
    'outreach_batch',
    'outreach_send',
    'outreach_refusal',
    'outreach_rule',
  ),
  // Captured people, and facts about them.
  ...named('agent_post', 'agent_person', 'agent_ranking_due', 'agent_ranking', 'icp_rescore', 'icp'),
  ...named('enrichment_task', 'lead_text', 'lead_gone', 'lead', 'person', 'exclusion', 'exclusion_settings'),
  // Searches and sources.
  ...named(
    'discover_person',
    'discover_post',
    'discover_run',
    'job',
    'keyword_spend',
    'keyword_post',
    'keyword_search',
  ),
  ...named('vendor_page', 'kept_answer', 'engagement_ticket', 'source_post', 'post', 'sync_post', 'sync'),
  ...named('post_coverage'),
  ...named('agent_source', 'source_alias', 'source', 'agent'),
  // The ledger, and records of requests and work.
  ...named('dispute', 'free_line', 'credit_hold', 'credit_entry', 'credit_account'),
  ...named('audit_entry', 'request_log', 'saved_view', 'team_default'),
  ...named('team_keep', 'tool_spend_answer', 'idempotency_answer', 'idempotency_flight', 'rate_window', 'vendor_day'),
  ...named('work_turn', 'task_put_off', 'retention_turn', 'team_move'),
]

/** Tables that name teams and whose rows stay, with the reason. */
export const staysAfterTeam: Readonly<Record<string, string>> = {
  serving_cost: 'what calls of vendors cost the operator, by day: ids and sums, no content',
  'sign_in.trial': 'a hash of an address: why its person gets one free trial, whatever became of the team',
}

/** Not in an export: secrets, and what only the service needs for its work. */
export const notExported: ReadonlySet<string> = new Set([
  'team_credential',
  'result_feed',
  'result_inbox',
  'destination_day',
  'lead_export',
  'lead_export_part',
  'sign_in.oauthAccessToken',
  'sign_in.oauthRefreshToken',
  'agent_ranking_due',
  'agent_ranking',
  'icp_rescore',
  'enrichment_task',
  'lead_text',
  'lead_gone',
  'vendor_page',
  'kept_answer',
  'engagement_ticket',
  'sync_post',
  'outreach_history',
  'credit_hold',
  'tool_spend_answer',
  'idempotency_answer',
  'idempotency_flight',
  'rate_window',
  'vendor_day',
  'work_turn',
  'task_put_off',
  'retention_turn',
  'team_move',
])
