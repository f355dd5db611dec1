/**
 * What to do about a refusal, by its stable code and, where it has none, by its status: for reference pages, agents and
 * people at a terminal.
 */

const byCode: Readonly<Record<string, string>> = {
  rate_limited:
    'Wait for the seconds in Retry-After, then send the same request again. ' +
    'Calls a minute are counted per team, reads and writes apart; X-RateLimit-Remaining says how many are left.',
  key_limit_reached: 'Revoke a key that is no longer used (DELETE /keys/{id}), then make the new one.',
  source_limit_reached:
    'Untrack sources that are no longer needed, or have the operator of the service raise the figure. Nothing was changed.',
  not_found: 'Check the path and the method against the reference: this address serves nothing.',
  method_not_allowed: 'Use one of the methods in `allowed`.',
  invalid_json: 'Send a JSON object, in UTF-8, nested at most 32 levels deep. An empty body counts as {}.',
  unknown_field:
    'Remove the field the message names, or spell it as the message lists it. Nothing of the request was applied.',
  renamed_field: 'Send the new name that the message gives instead of the old one. Nothing of the request was applied.',
  already_disputed: 'Nothing to do: `disputeId` names the dispute, and the line of the ledger says what became of it.',
  no_webhook: 'Set a webhook URL first, then push again.',
  identifier_in_use:
    'The message names the source of another kind that has the identifier: use it, or revive it where it is inactive. ' +
    'Untracking does not free an identifier.',
  spend_confirmation_required:
    'Nothing was created, changed or charged. Show the figures to whoever pays; ' +
    'after their yes send the same request again with confirmSpend: true.',
  insufficient_enriching_credits:
    'Ask for less, wait for the next period (GET /credits: nextReset), or have credits added. Nothing was charged.',
  idempotency_in_flight:
    'A request with this Idempotency-Key is still running: wait a moment and send it again; its answer will be replayed.',
  idempotency_key_reused: 'Use a new Idempotency-Key: this one belongs to a request with another body.',
  provider_unavailable: 'The network did not answer. Nothing was changed or charged: try again, with growing pauses.',
  post_resolve_failed: 'The network did not say whether the post exists. Nothing was created: try again later.',
  settings_conflict:
    'The search exists with other settings (`previous`); `changed` names the differences. ' +
    'Send the request again with confirmChanges: true to change it, or leave it as it is.',
  scope_required: 'Say how deep and how far back to search: send creditCap, captureMode and datePosted.',
  invalid_urn:
    'Send member or company ids as the message describes them; resolve a handle with GET /profile/{username}/urn.',
  no_capture_target: 'Capture somebody: leave captureEngagers or capturePostAuthors on.',
  invalid_contract_version: 'Send contractVersion as one of the values the message lists, or leave it out.',
  credentials_rejected: 'Make new credentials on the platform and send those; nothing was stored or sent.',
  scope_missing: 'Grant the scopes in `missing` to the credentials on the platform, then try again.',
  setup_missing: 'Set up on the platform what the message names, then try again.',
  destination_limit_reached: 'Delete a destination first.',
  hook_limit_reached: 'Delete a hook first (GET /hooks lists them).',
  destination_unavailable: 'The platform did not answer: try again in a moment.',
  not_connected: 'Connect the outreach platform in the dashboard first; no key is taken over the API.',
  invalid_key: 'The outreach platform refused the stored key: connect it again in the dashboard.',
  campaign_closed: 'Choose a campaign that can take leads (GET /integrations/outreach/campaigns: canTakeLeads).',
  no_senders: 'Give the campaign a sender on the outreach platform, or choose another campaign.',
  agent_not_found: 'Read GET /agent for the ids of the agents there are.',
  agent_unavailable: 'The agent is switched off or not ready here: try again later.',
  agent_not_started: 'The launch was refused as a whole; the message says why. Nothing runs.',
  agent_no_topics: 'Save at least one topic (PUT /agent), then start again.',
  agent_daily_credits_required: 'Send dailyCredits with the start, or save it first.',
  role_required:
    'Ask an owner of the team to do it, or to give you the role that `needed` names. Retrying does not help.',
  not_for_apps:
    'Have a person make or revoke keys in the dashboard (Settings), or connect with an API key instead of a sign-in.',
  trial_agent_limit: 'A trial may have one agent: edit that one, or subscribe.',
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'Correct the field that the message names and send the request again. Nothing of it was applied.',
  401: 'Send a valid API key: one made in the dashboard or with POST /keys, and not revoked.',
  402: 'The balance does not cover it: see GET /credits.',
  403: 'The team may not do this: its subscription, trial or plan does not allow it. Retrying does not help.',
  404: 'Check the identifier: no such thing belongs to this team, or it is no longer tracked.',
  409: 'The state does not allow it: the message says what stands in the way.',
  413: 'Send a smaller body: at most 256 KB, or 1 MB where thousands of ids are taken.',
  422: 'The request contradicts an earlier one: the message says how.',
  429: 'Wait for the seconds in Retry-After, then send the same request again.',
  500:
    'Read the state again to see whether the change was made, then retry; ' +
    'a call with an Idempotency-Key is safe to retry. Quote requestId when you report it.',
  502:
    'An outside system failed. Nothing was changed unless the answer says so: try again after the seconds in ' +
    'Retry-After where there are some, else with growing pauses.',
  503: 'Not available right now: try again in a moment.',
}

/** What to do about a refusal; a code that is not known here falls back to its status. */
export function adviceFor(status: number, code: string | null): string {
  return (
    (code === null ? undefined : byCode[code]) ??
    byStatus[status] ??
    'Read the message and change the request accordingly.'
  )
}
