-- The tables as the migrations make them. Generated; the migrations are the truth.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The same as `foldText` of the contract, with a fast path for plain ASCII.
create function text_fold(text) returns text language sql immutable parallel safe as $$
  select regexp_replace(case when $1 ~ '^[ -_a-~]*$' then lower($1 collate "C")
    else normalize(regexp_replace(regexp_replace(
      replace(replace(translate(lower(normalize(
        regexp_replace(regexp_replace($1, '[\u00b4\u1fbd\u1fbf\u1ffd]', '''', 'g'), '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'), NFKD)),
        'ςͅᲀᲁᲂᲃᲄᲅᲆᲇᲈ', 'σιвдосттъѣꙋ'), 'ß', 'ss'), 'և', 'եւ'),
      '[`ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ]', '''', 'g'), '[֊־᠆˗‐‑‒–—―⁃−⸺⸻⹀]', '-', 'g'), NFC) end, '[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+', ' ', 'g')
$$;

create function short_grams(text) returns text[] language sql
 immutable parallel safe strict as $$
    with chars as (select c as first, lead(c) over (order by n) as next from unnest(string_to_array($1,
      null)) with ordinality as t (c, n))
    select array(select first from chars union select first || next from chars where next is not null)
  $$;

-- The same as `titleWords` of the contract.
create function title_words(folded text) returns text[] language sql immutable parallel safe as $$
  select array_remove(regexp_split_to_array(regexp_replace($1, '([\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3])', ' \1 ', 'g'), '([ \u0021-\u0022\u0024-\u002a\u002c-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u05c0\u05c3\u05f3-\u05f4\u060c-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964-\u0965\u0e4f\u0f0b-\u0f14\u104a-\u104f\u1360-\u1368\u16eb-\u16ed\u17d4-\u17da\u1800-\u180a\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u2bff\u2e00-\u2e7f\u3001-\u3011\u3014-\u301f\u30fb\U0001f000-\U0001faff]|[+#](?=[^+# \u0021-\u0022\u0024-\u002a\u002c-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a1-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u05c0\u05c3\u05f3-\u05f4\u060c-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964-\u0965\u0e4f\u0f0b-\u0f14\u104a-\u104f\u1360-\u1368\u16eb-\u16ed\u17d4-\u17da\u1800-\u180a\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u2bff\u2e00-\u2e7f\u3001-\u3011\u3014-\u301f\u30fb\U0001f000-\U0001faff]))+'), '')
$$;

create table service_world (
  only_row boolean primary key check (only_row),
  kind text not null check (kind in ('sandbox', 'real'))
);

create table service_clock (
  only_row boolean primary key check (only_row),
  now timestamptz not null
);

create table armed_fault (
  name text primary key, times integer not null, action text not null check (action in ('fail', 'crash'))
);

create table master_key_check (
  only_row boolean primary key check (only_row),
  fingerprint text not null, sealed bytea not null
);

create table team (
  id uuid primary key, name text not null, plan text not null,
  status text not null check (status in ('active', 'trial', 'expired')),
  trial_ends_at timestamptz, reads_limit integer not null, writes_limit integer not null,
  untracked_posts_limit integer not null, keyword_daily_ceiling integer not null, lead_cap integer,
  capture_allowed boolean not null, data_key bytea not null, signing_secret bytea not null,
  previous_signing_secret bytea, previous_secret_until timestamptz, created_at timestamptz not null,
  source_cap integer not null default 10000, vendor_calls_per_day integer,
  -- The schema that holds the team's rows (docs/scaling.md).
  shard text not null default 'public',
  -- Closed: no access, no work. Rows are deleted from `ends_at` on; `ending`: some may be gone already.
  closed_at timestamptz, ends_at timestamptz, ending boolean not null default false,
  constraint team_closed check ((closed_at is null) = (ends_at is null) and (closed_at is not null or not ending))
);

-- Moves of teams between shards; the state says where the next process resumes.
create table team_move (
  team_id uuid not null references team, begun_at timestamptz not null,
  from_shard text not null, to_shard text not null,
  -- `copying`: the team works in `from_shard`. `switched`: it works in `to_shard`; its old rows are not deleted yet.
  state text not null check (state in ('copying', 'switched', 'done', 'undoing', 'undone')),
  passes integer not null default 0, rows_copied bigint not null default 0,
  -- Rows per table, compared at the switch.
  counts jsonb,
  -- The process that works on it, its lease, and the end of the team's seal, in system time.
  owner uuid, owner_until_ms bigint, sealed_until_ms bigint,
  switched_at timestamptz, sealed_for_ms integer, ended_at timestamptz, reason text,
  primary key (team_id, begun_at),
  constraint team_move_ended check ((ended_at is null) = (state in ('copying', 'switched', 'undoing')))
);
create unique index team_move_open on team_move (team_id) where ended_at is null;

create table api_key (
  team_id uuid not null references team, id uuid not null, name text not null, hash bytea not null,
  masked text not null, created_at timestamptz not null, last_used_at timestamptz, revoked_at timestamptz,
  primary key (team_id, id)
);
create unique index api_key_hash on api_key (hash);

create unlogged table rate_window (
  team_id uuid not null, bucket text not null, opened_at timestamptz not null, used integer not null,
  refused boolean not null,
  primary key (team_id, bucket)
) with (fillfactor = 50);

create unlogged table vendor_slot (
  vendor text not null, slot integer not null, owner text, leased_until_ms bigint,
  primary key (vendor, slot)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0);

create unlogged table vendor_minute (
  vendor text primary key, opened_ms bigint not null, used integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0);

create unlogged table vendor_day (
  team_id uuid primary key, day date not null, calls integer not null
) with (fillfactor = 50);

create table vendor_breaker (
  account text primary key, failures integer not null, reason text check (reason in ('away', 'key', 'money', 'rate')),
  opened_at timestamptz, probe_at timestamptz,
  constraint vendor_breaker_check check (((reason is null) = (opened_at is null)) and ((reason is null) = (probe_at is null)))
);

create table serving_cost (
  team_id uuid not null, day date not null, vendor text not null, source_id uuid not null, calls bigint not null,
  micro_dollars bigint not null, team_micro_dollars bigint not null default 0,
  primary key (team_id, day, vendor, source_id)
);
create index serving_cost_day on serving_cost (day);

create table vendor_cost_day (
  vendor text not null, day date not null, calls bigint not null, rate_limited bigint not null,
  unavailable bigint not null, malformed bigint not null, refused bigint not null, micro_dollars bigint not null,
  primary key (vendor, day)
);

create table vendor_balance (
  vendor text primary key, balance double precision not null, full_balance double precision not null,
  told_percent integer, read_at timestamptz not null
);

create table vendor_limit (
  account text primary key, in_flight integer not null check (in_flight > 0)
);

create schema sign_in;

create table sign_in.user (
  id text primary key, name text not null, email text not null unique,
  "emailVerified" boolean not null, image text, "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);

create table sign_in.session (
  id text primary key, "expiresAt" timestamptz not null, token text not null unique,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null, "ipAddress" text, "userAgent" text,
  "userId" text not null references sign_in."user" on delete cascade
);
create index "session_userId_idx" on sign_in.session ("userId");

create table sign_in.account (
  id text primary key, "accountId" text not null, "providerId" text not null,
  "userId" text not null references sign_in."user" on delete cascade,
  "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz, scope text, password text, "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null
);
create index "account_userId_idx" on sign_in.account ("userId");

create table sign_in.verification (
  id text primary key, identifier text not null, value text not null, "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);
create index verification_identifier_idx on sign_in.verification (identifier);

create table sign_in."deviceCode" (
  id text primary key, "deviceCode" text not null, "userCode" text not null, "userId" text,
  "expiresAt" timestamptz not null, status text not null, "lastPolledAt" timestamptz, "pollingInterval" integer,
  "clientId" text, scope text
);
create unique index "deviceCode_deviceCode_uidx" on sign_in."deviceCode" ("deviceCode");
create unique index "deviceCode_userCode_uidx" on sign_in."deviceCode" ("userCode");

create table sign_in.jwks (
  id text primary key, "publicKey" text not null, "privateKey" text not null, "createdAt" timestamptz not null,
  "expiresAt" timestamptz, alg text, crv text
);

create table sign_in."oauthClient" (
  id text primary key, "clientId" text not null unique,
  "clientSecret" text, "clientDiscoveryId" text, disabled boolean, "skipConsent" boolean,
  "enableEndSession" boolean, "subjectType" text, scopes jsonb, "clientCredentialsScopes" jsonb,
  "userId" text references sign_in."user" on delete cascade,
  "createdAt" timestamptz, "updatedAt" timestamptz, name text, uri text, icon text, contacts jsonb, tos text,
  policy text, "softwareId" text, "softwareVersion" text, "softwareStatement" text, "redirectUris" jsonb not null,
  "postLogoutRedirectUris" jsonb, "backchannelLogoutUri" text, "backchannelLogoutSessionRequired" boolean,
  "tokenEndpointAuthMethod" text, "applicationType" text, jwks text, "jwksUri" text, "grantTypes" jsonb,
  "responseTypes" jsonb, "requirePKCE" boolean, "dpopBoundAccessTokens" boolean, "referenceId" text, metadata jsonb
);
create index "oauthClient_userId_idx" on sign_in."oauthClient" ("userId");

create table sign_in."oauthResource" (
  id text primary key, identifier text not null unique,
  name text not null, "accessTokenTtl" integer, "refreshTokenTtl" integer, "signingAlgorithm" text,
  "signingKeyId" text, "allowedScopes" jsonb, "customClaims" jsonb, "dpopBoundAccessTokensRequired" boolean,
  disabled boolean, "createdAt" timestamptz, "updatedAt" timestamptz, "policyVersion" integer, metadata jsonb
);

create table sign_in."oauthClientResource" (
  id text primary key, "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "resourceId" text not null references sign_in."oauthResource"(identifier) on delete cascade, metadata jsonb,
  "createdAt" timestamptz
);
create index "oauthClientResource_clientId_idx" on sign_in."oauthClientResource" ("clientId");
create index "oauthClientResource_resourceId_idx" on sign_in."oauthClientResource" ("resourceId");
create unique index "oauthClientResource_clientId_resourceId_uidx" on sign_in."oauthClientResource" ("clientId", "resourceId");

create table sign_in."oauthRefreshToken" (
  id text primary key, token text not null unique,
  "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "sessionId" text references sign_in.session on delete set null,
  "userId" text not null references sign_in."user" on delete cascade,
  "referenceId" text, "authorizationCodeId" text, resources jsonb, "requestedUserInfoClaims" jsonb,
  "expiresAt" timestamptz not null, "createdAt" timestamptz not null, revoked timestamptz, "rotatedAt" timestamptz,
  "rotationReplayResponse" text, "rotationReplayExpiresAt" timestamptz, "authTime" timestamptz, confirmation jsonb,
  scopes jsonb not null
);
create index "oauthRefreshToken_clientId_idx" on sign_in."oauthRefreshToken" ("clientId");
create index "oauthRefreshToken_sessionId_idx" on sign_in."oauthRefreshToken" ("sessionId");
create index "oauthRefreshToken_userId_idx" on sign_in."oauthRefreshToken" ("userId");
create index "oauthRefreshToken_authorizationCodeId_idx" on sign_in."oauthRefreshToken" ("authorizationCodeId");

create table sign_in."oauthAccessToken" (
  id text primary key, token text not null unique,
  "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "sessionId" text references sign_in.session on delete set null,
  "userId" text references sign_in."user" on delete cascade,
  "referenceId" text, "authorizationCodeId" text, resources jsonb, "requestedUserInfoClaims" jsonb,
  "refreshId" text references sign_in."oauthRefreshToken" on delete cascade,
  "expiresAt" timestamptz not null, "createdAt" timestamptz not null, revoked timestamptz, confirmation jsonb,
  scopes jsonb not null
);
create index "oauthAccessToken_clientId_idx" on sign_in."oauthAccessToken" ("clientId");
create index "oauthAccessToken_sessionId_idx" on sign_in."oauthAccessToken" ("sessionId");
create index "oauthAccessToken_userId_idx" on sign_in."oauthAccessToken" ("userId");
create index "oauthAccessToken_authorizationCodeId_idx" on sign_in."oauthAccessToken" ("authorizationCodeId");
create index "oauthAccessToken_refreshId_idx" on sign_in."oauthAccessToken" ("refreshId");

create table sign_in."oauthConsent" (
  id text primary key, "clientId" text not null references sign_in."oauthClient"("clientId") on delete cascade,
  "userId" text references sign_in."user" on delete cascade,
  "referenceId" text, resources jsonb, "requestedUserInfoClaims" jsonb, scopes jsonb not null,
  "createdAt" timestamptz not null, "updatedAt" timestamptz not null
);
create index "oauthConsent_clientId_idx" on sign_in."oauthConsent" ("clientId");
create index "oauthConsent_userId_idx" on sign_in."oauthConsent" ("userId");

create table sign_in."oauthClientAssertion" (
  id text primary key, "expiresAt" timestamptz not null
);

create table sign_in."rateLimit" (
  id text primary key, key text not null unique, count integer not null, "lastRequest" bigint not null
);

create table sign_in.account_try (
  account bytea primary key, opened_at timestamptz not null, tries integer not null
);
create index account_try_opened on sign_in.account_try (opened_at);

create table sign_in.membership (
  user_id text not null references sign_in."user", team_id uuid not null references team,
  role text not null check (role in ('owner', 'member', 'viewer')), created_at timestamptz not null,
  primary key (user_id, team_id)
);
create index membership_by_team on sign_in.membership (team_id, user_id);

create table sign_in.invitation (
  id uuid primary key, team_id uuid not null references team, email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')), token_hash bytea not null unique,
  invited_by text references sign_in."user",
  created_at timestamptz not null, expires_at timestamptz not null, accepted_at timestamptz, revoked_at timestamptz
);
create index invitation_by_team on sign_in.invitation (team_id, created_at desc) where accepted_at is null and revoked_at is null;

create table sign_in.trial (
  address bytea primary key, user_id text not null, team_id uuid not null, started_at timestamptz not null
);

create table team_credential (
  team_id uuid not null references team, kind text not null, sealed bytea not null, stored_at timestamptz not null,
  primary key (team_id, kind)
);

create table idempotency_answer (
  team_id uuid not null references team, scope bytea not null, body_hash bytea not null, status integer not null,
  sealed bytea, expires_at timestamptz not null,
  primary key (team_id, scope)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
create index idempotency_answer_expiry on idempotency_answer (expires_at);

create unlogged table idempotency_flight (
  team_id uuid not null, scope bytea not null, owner uuid not null, until_ms bigint not null,
  primary key (team_id, scope)
);

create table work_turn (
  team_id uuid not null references team, kind text not null, served bigint not null,
  ready boolean not null default true, due_at timestamptz, look_ms bigint,
  primary key (team_id, kind)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index work_turn_ready on work_turn (kind, served) where ready;
create index work_turn_due on work_turn (kind, due_at) where (not ready) and due_at is not null;
create index work_turn_look on work_turn (kind, look_ms) where (not ready) and look_ms is not null;

create table tool_spend_answer (
  team_id uuid not null references team, question_id uuid not null, expires_at timestamptz not null,
  primary key (team_id, question_id)
);
create index tool_spend_answer_expiry on tool_spend_answer (expires_at);

create table audit_entry (
  team_id uuid not null references team, id uuid not null, at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator')),
  actor_id text not null, actor_name text not null, operation text not null, target text, details jsonb not null,
  primary key (team_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index audit_entry_newest on audit_entry (team_id, at desc, id desc);

create table saved_view (
  team_id uuid not null references team, id uuid not null, page text not null, name text not null,
  query jsonb not null, created_by text not null, created_at timestamptz not null, updated_at timestamptz not null,
  primary key (team_id, id),
  constraint saved_view_team_id_page_name_key unique (team_id, page, name)
);

create table task_put_off (
  team_id uuid not null references team, task text not null, failures integer not null, until timestamptz not null,
  primary key (team_id, task)
);

create table retention_turn (
  team_id uuid primary key references team, checked_at timestamptz not null, places jsonb not null
);

create table team_keep (
  team_id uuid not null references team, rule text not null, days integer not null check (days > 0),
  primary key (team_id, rule)
);

create table request_log (
  team_id uuid not null references team on delete cascade,
  id uuid not null, at timestamptz not null, surface text not null, operation text, method text not null,
  path text not null, query text not null, body text, status smallint not null, code text,
  duration_ms integer not null, caller_kind text not null, caller_id text not null, caller_name text not null,
  request_id text not null, stands_for integer not null,
  primary key (team_id, id)
);
create index request_log_at on request_log (at);
create index request_log_failures on request_log (team_id, id) where status >= 400;
create index request_log_request on request_log (team_id, request_id);

create table team_default (
  team_id uuid not null references team,
  kind text not null check (kind in ('all', 'person', 'company', 'post', 'keyword')),
  webhook jsonb, criteria jsonb, outreach jsonb, cap jsonb, updated_at timestamptz not null,
  primary key (team_id, kind)
);

create table kept_answer (
  team_id uuid not null references team, work text not null, work_id text not null, question bytea not null,
  answer bytea not null, kept_at timestamptz not null,
  primary key (team_id, work, work_id, question)
);
create index kept_answer_age on kept_answer (kept_at);

create table credit_account (
  team_id uuid not null references team,
  account text not null check (account in ('team', 'agent_trial')),
  granted bigint not null, spent bigint not null, held bigint not null, allowance bigint not null,
  period_used bigint not null, anchor_at timestamptz not null, period_start timestamptz not null,
  period_end timestamptz, overspent bigint not null default 0,
  primary key (team_id, account),
  constraint credit_never_negative check (spent >= 0 and held >= 0 and ((spent + held) <= granted))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

create table credit_entry (
  team_id uuid not null references team, id uuid not null, account text not null, key text not null,
  kind text not null check (kind in ('grant', 'topup', 'lapse', 'adjust', 'charge', 'refund')),
  amount bigint not null, category text, source_id uuid, sync_id uuid, created_at timestamptz not null,
  primary key (team_id, id),
  constraint credit_entry_key unique (team_id, key),
  constraint credit_entry_sign check ((kind = 'charge' and amount < 0) or (kind = 'lapse' and amount <= 0)
    or (kind in ('grant', 'topup', 'refund') and amount >= 0) or kind = 'adjust')
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index credit_entry_charges on credit_entry (team_id, created_at) include (amount, category, source_id)
  where kind = 'charge';
create index credit_entry_of_source on credit_entry (team_id, source_id, id) where source_id is not null;
create index credit_entry_changes on credit_entry (team_id, id) where kind <> 'charge';

create table credit_hold (
  team_id uuid not null references team, id uuid not null,
  account text not null check (account in ('team', 'agent_trial')),
  amount bigint not null check (amount > 0),
  expires_at timestamptz not null,
  primary key (team_id, id)
);
create index credit_hold_expiry on credit_hold (expires_at);

-- Free engagements: one row per page, run and reason; merged to one per run, day and reason once the run is a week old.
create table free_line (
  team_id uuid not null references team, id uuid not null, source_id uuid, sync_id uuid,
  reason text not null check (reason in ('seen_before', 'same_person_other_engagement', 'blocked', 'company_author',
    'already_enriched', 'enrichment_failed', 'post_seen_before')),
  count integer not null check (count > 0),
  -- One element per engagement counted: its lead's id, else a hash of the engagement, or null. Merged rows have null.
  engagements uuid[], created_at timestamptz not null,
  primary key (team_id, id)
);
create index free_line_of_run on free_line (team_id, sync_id) where sync_id is not null;
create index free_line_unmerged on free_line (created_at) where engagements is not null;

-- Charges that the team disputes, each at most once.
create table dispute (
  team_id uuid not null references team, id uuid not null, entry_id uuid not null,
  reason text not null check (reason in ('duplicate', 'own_staff', 'wrong_person', 'wrong_company', 'not_a_person', 'other')),
  note text,
  credits integer not null check (credits > 0),
  state text not null check (state in ('open', 'credited', 'declined')),
  -- `automatic`: settled by the 5 % rule.
  settled_by text check (settled_by in ('automatic', 'operator')),
  decision_note text, created_at timestamptz not null, settled_at timestamptz,
  primary key (team_id, id),
  constraint dispute_once unique (team_id, entry_id),
  constraint dispute_settled check ((state = 'open') = (settled_at is null) and (state = 'open') = (settled_by is null))
);
create index dispute_open on dispute (created_at, id) where state = 'open';
create index dispute_automatic on dispute (team_id, created_at) where settled_by = 'automatic';

create function credit_entry_is_final() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and (old.team_id = '5a3b1e00-7ea0-4000-8000-000000000001'
      or exists (select 1 from team where id = old.team_id and (ending or shard <> tg_table_schema))) then return old; end if;
    -- An erasure replaces a key that names the person; nothing else may change.
    if tg_op = 'UPDATE' and new.key ~ '^erased:[0-9a-f-]{36}$' and to_jsonb(new) - 'key' = to_jsonb(old) - 'key'
      then return new; end if;
    raise exception 'credit_entry is append-only';
  end $$;
create trigger credit_entry_append_only before delete or update on credit_entry for each row
  execute function credit_entry_is_final();

create table company (
  urn text primary key, found boolean not null, slug text, name text, linkedin_url text, website text, domain text,
  industry text, employee_count integer, staff_range text, headquarters text, description text,
  founded_year integer, follower_count integer, specialties jsonb not null default '[]'::jsonb, logo_url text,
  cover_url text, fetched_at timestamptz not null,
  industry_id text
);
create index company_slug on company (slug);
-- Backwards, so that the hosts below a domain stand side by side.
create index company_domain on company (reverse(domain) collate "C");

create unlogged table company_lookup (
  urn text primary key, owner uuid not null,
  until_ms bigint not null
);

create table person (
  team_id uuid not null references team, id uuid not null, urn text not null, handle text, name text, headline text,
  linkedin_url text not null, avatar_url text, job_title text, country text, country_code text, company_urn text,
  company_name text, enriched_at timestamptz,
  primary key (team_id, urn),
  constraint person_id unique (team_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_limit = 2000);
create index person_handle on person (team_id, handle) where handle is not null;

create table post (
  team_id uuid not null references team, urn text not null, url text not null, text text, author_kind text not null,
  author_urn text, author_name text, author_url text, author_headline text, posted_at timestamptz,
  content_type text, total_reaction_count integer, comments_count integer, first_seen_at timestamptz not null,
  primary key (team_id, urn)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index post_newest on post (team_id, first_seen_at desc, urn desc);
create index post_first_seen on post (team_id, first_seen_at, urn);

create unlogged table vendor_page (
  team_id uuid not null, kind text not null check (kind in ('posts', 'reactions', 'comments')),
  subject text not null, provider text not null, number integer not null, items jsonb not null,
  replies jsonb not null, next jsonb, total integer, fetched_at timestamptz not null,
  primary key (team_id, kind, subject, provider, number)
);
create index vendor_page_age on vendor_page (fetched_at);

create unlogged table engagement_ticket (
  team_id uuid not null, number bigint not null, until_ms bigint not null,
  primary key (team_id, number)
);

create table source (
  team_id uuid not null references team, id uuid not null,
  type text not null check (type in ('person', 'company', 'post', 'keyword')),
  username text not null, identity bytea not null,
  status text not null check (status in ('active', 'inactive')),
  mode text not null check (mode in ('engagers', 'posts_only')),
  posts_per_sync integer, credit_cap_per_sync integer, capture_replies boolean not null,
  enrich_leads boolean not null, first_sync_posts integer, first_sync_days integer, network_urn text,
  next_sync_at timestamptz, last_scheduled_at timestamptz, open_sync_id uuid, last_sync_id uuid,
  ever_completed boolean not null default false, revived boolean not null default false,
  lead_rows integer not null default 0, raw_rows integer not null default 0,
  leads_pending integer not null default 0, leads_completed integer not null default 0,
  leads_failed integer not null default 0, leads_skipped integer not null default 0,
  created_at timestamptz not null, untracked_at timestamptz, has_write_off boolean not null default false, post_url text,
  runs_completed integer not null default 0, max_runs integer, end_at timestamptz,
  run_once boolean not null default false, stopped_at timestamptz,
  stopped_reason text check (stopped_reason in ('max_runs', 'run_once', 'end_at')),
  pays_from text not null default 'team' check (pays_from in ('team', 'agent_trial')),
  primary key (team_id, id),
  constraint source_identity unique (team_id, identity),
  constraint source_counters check ((lead_rows = (((leads_pending + leads_completed) + leads_failed) + leads_skipped))
    and leads_pending >= 0 and leads_completed >= 0 and leads_failed >= 0 and leads_skipped >= 0)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index source_due on source (next_sync_at) where status = 'active' and open_sync_id is null;
create index source_ends on source (end_at) where status = 'active' and stopped_at is null and end_at is not null;
create index source_with_write_off on source (team_id, id) where has_write_off;
create index source_network_urn on source (team_id, network_urn) where network_urn is not null;

create table source_post (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, sync_id uuid not null,
  created_at timestamptz not null,
  primary key (team_id, source_id, post_urn)
);
create index source_post_of_post on source_post (team_id, post_urn);

create table source_alias (
  team_id uuid not null references team, urn text not null, source_id uuid not null,
  primary key (team_id, urn),
  constraint source_alias_of_source foreign key (team_id, source_id) references source(team_id, id)
);

create table lead_gone (
  team_id uuid not null references team, owner_id uuid not null, key_hash bytea not null,
  -- Lets an erasure find the hashes of a person.
  post_urn text,
  primary key (team_id, owner_id, key_hash)
);

create table agent (
  team_id uuid not null references team, id uuid not null, status text not null check (status in ('draft', 'active')),
  website text, profile jsonb not null, daily_credits integer check (daily_credits >= 50 and daily_credits <= 20000),
  plan jsonb, launch integer not null default 0, launched_at timestamptz, discover_run uuid,
  people_added boolean not null default false, pending jsonb, webhook_url text,
  webhook_auto_send boolean not null default false, webhook_filters jsonb not null default '[]'::jsonb,
  webhook_since timestamptz, created_at timestamptz not null, unexpected_failures integer not null default 0,
  follow_due_at timestamptz,
  primary key (team_id, id)
) with (fillfactor = 70);
create index agent_searching on agent (team_id, id) where status = 'active' and (not people_added) and discover_run is not null;

create table agent_source (
  team_id uuid not null references team, agent_id uuid not null, source_id uuid not null, made boolean not null,
  topic text, launch integer not null, stopped_at timestamptz, added_at timestamptz not null,
  primary key (team_id, agent_id, source_id),
  constraint agent_source_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id),
  constraint agent_source_team_id_source_id_fkey foreign key (team_id, source_id) references source(team_id, id)
);
create index agent_source_of_source on agent_source (team_id, source_id);

create table job (
  team_id uuid not null references team, id uuid not null,
  type text not null check (type in ('enrich_profile', 'enrich_company', 'profile_posts', 'company_posts', 'post_reactions',
    'post_comments', 'post_company_comments')),
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  payload jsonb not null, result jsonb, error jsonb, attempts integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  created_at timestamptz not null, finished_at timestamptz, unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint job_final check (status in ('completed', 'failed') = (finished_at is not null))
);
create index job_due on job (due_at) where finished_at is null;
create index job_of_team_due on job (team_id, ((type = ANY (ARRAY['profile_posts', 'company_posts']))), due_at, id)
  where finished_at is null;

create table sync (
  team_id uuid not null references team, id uuid not null, source_id uuid not null,
  trigger text not null check (trigger in ('track', 'scheduled', 'manual')),
  state text not null check (state in ('queued', 'capturing', 'captured', 'failed', 'untracked')),
  settings jsonb not null, cursor jsonb not null, posts_total integer not null default 0,
  posts_processed integer not null default 0, lead_rows integer not null default 0,
  credits_spent integer not null default 0, engagers_seen integer not null default 0,
  -- Engagements judged by a run that the team pays for, charged or free, each counted once.
  engagement_judged integer not null default 0, declared integer not null default 0,
  held_rows integer not null default 0, posts_fetched integer not null default 0,
  provider_limited boolean not null default false, stopped_by text, error_code text, error_text text,
  attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0, created_at timestamptz not null, started_at timestamptz, finished_at timestamptz,
  lane text not null default 'capture' check (lane in ('keyword', 'capture')),
  posts_scanned integer not null default 0, posts_kept integer not null default 0,
  discarded_by_expression integer not null default 0, authors_captured integer not null default 0,
  company_authors integer not null default 0, page_limited boolean not null default false,
  unapplied jsonb not null default '[]'::jsonb, unexpected_failures integer not null default 0,
  waits_for text check (waits_for in ('away', 'key', 'money', 'rate', 'cap', 'ai_away', 'ai_rate')),
  price_limited boolean not null default false,
  primary key (team_id, id),
  constraint sync_of_source foreign key (team_id, source_id) references source(team_id, id),
  constraint sync_final check (state in ('captured', 'failed', 'untracked') = (finished_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create unique index sync_one_open on sync (team_id, source_id) where finished_at is null;
create index sync_due on sync (due_at) where finished_at is null;
create index sync_history on sync (team_id, source_id, created_at);
create index sync_of_team_due on sync (team_id, lane, due_at, id) where finished_at is null;

create table sync_post (
  team_id uuid not null references team, sync_id uuid not null, position integer not null, post_urn text not null,
  post_url text not null, author_urn text, posted_at timestamptz, declared integer not null,
  phase text not null check (phase in ('author', 'reactions', 'comments', 'replies', 'done')),
  provider text, cursor jsonb, replies jsonb not null default '[]'::jsonb, reactions_declared integer,
  comments_declared integer, reactions_seen integer not null default 0, turns integer not null default 0,
  seen integer not null default 0, rows_taken integer not null default 0, page_rest jsonb,
  read_alone boolean not null default false,
  -- Why engagement that the post declares was not captured; null: nothing was missed so far.
  held_back_by text check (held_back_by in ('provider_limit', 'post_limit')),
  primary key (team_id, sync_id, "position"),
  constraint sync_post_once unique (team_id, sync_id, post_urn)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
-- Coverage of a source's post by the last run that read it.
create table post_coverage (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, declared integer not null,
  captured integer not null,
  held_back_by text check (held_back_by in ('credits', 'provider_limit', 'post_limit')),
  primary key (team_id, source_id, post_urn)
);

create index sync_post_undone on sync_post (team_id, sync_id, "position") where phase <> 'done';

create table keyword_search (
  team_id uuid not null references team, source_id uuid not null, name text, terms jsonb not null, expression text,
  sort text not null check (sort in ('RELEVANCE', 'DATE_POSTED')),
  date_posted text not null check (date_posted in ('PAST_24_HOURS', 'PAST_WEEK', 'PAST_MONTH')),
  content_type text, filters jsonb not null,
  ai_provider text check (ai_provider in ('openai', 'anthropic', 'google', 'mistral')),
  ai_model text, ai_prompt text, credit_cap integer not null check (credit_cap > 0),
  capture_engagers boolean not null, capture_post_authors boolean not null,
  capture_mode text not null check (capture_mode in ('depth', 'breadth')),
  max_engagements_per_post integer, saved_at timestamptz not null,
  primary key (team_id, source_id),
  constraint keyword_search_ai check (((ai_provider is null) = (ai_prompt is null)) and (ai_provider is not null
    or ai_model is null))
);

create table keyword_post (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, sync_id uuid not null,
  position integer not null, awaits_ai boolean not null, outcome text check (outcome in ('kept', 'discarded')),
  reason text, filter bytea, decided_at timestamptz,
  primary key (team_id, source_id, post_urn),
  constraint keyword_post_of_search foreign key (team_id, source_id) references keyword_search(team_id, source_id),
  constraint keyword_post_decided check (((outcome is null) = (decided_at is null)) and (outcome is not null or awaits_ai))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index keyword_post_of_post on keyword_post (team_id, post_urn);
create index keyword_post_awaits_ai on keyword_post (team_id, sync_id, "position") where awaits_ai;
create index keyword_post_newest on keyword_post (team_id, source_id, decided_at desc, post_urn desc) include (outcome)
  where outcome is not null;
create index keyword_post_reason_age on keyword_post (team_id, decided_at) where reason is not null;

create table keyword_spend (
  team_id uuid not null references team, day date not null, credits bigint not null,
  primary key (team_id, day)
) with (fillfactor = 50);

create table discover_run (
  team_id uuid not null references team, id uuid not null, agent_id uuid,
  state text not null check (state in ('running', 'done', 'failed')),
  phase text not null check (phase in ('search', 'check', 'add', 'over')),
  keywords jsonb not null, countries jsonb not null, min_engagement integer not null,
  max_influencers integer not null check (max_influencers >= 1 and max_influencers <= 500),
  places jsonb not null, found integer not null default 0, qualified integer not null default 0,
  country_checked integer not null default 0, country_matched integer not null default 0, error_code text,
  error_text text, attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, created_at timestamptz not null, started_at timestamptz,
  finished_at timestamptz, deleted_at timestamptz, unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint discover_run_final check (((state <> 'running') = (finished_at is not null))
    and ((phase = 'over') = (finished_at is not null))),
  constraint discover_run_found check (found <= qualified and found <= max_influencers and country_matched <= country_checked)
) with (fillfactor = 70);
create index discover_run_due on discover_run (due_at) where finished_at is null;
create index discover_run_newest on discover_run (team_id, created_at desc, id desc) where deleted_at is null;
create index discover_run_of_team_due on discover_run (team_id, due_at, id) where finished_at is null;

create table discover_post (
  team_id uuid not null references team, run_id uuid not null, post_urn text collate "C" not null,
  person_urn text collate "C" not null, engagement integer not null, post jsonb not null,
  primary key (team_id, run_id, post_urn),
  constraint discover_post_of_run foreign key (team_id, run_id) references discover_run(team_id, id)
);
create index discover_post_of_person on discover_post (team_id, run_id, person_urn, engagement desc, post_urn);

create table discover_person (
  team_id uuid not null references team, run_id uuid not null, position integer not null, person_urn text not null,
  post_count integer not null, total bigint not null, highest integer not null, post jsonb not null,
  matched boolean, added_at timestamptz,
  primary key (team_id, run_id, "position"),
  constraint discover_person_once unique (team_id, run_id, person_urn),
  constraint discover_person_of_run foreign key (team_id, run_id) references discover_run(team_id, id)
) with (fillfactor = 70);

create table lead (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, source_id uuid,
  source_kind text not null check (source_kind in ('keyword', 'post', 'profile', 'company', 'discover')),
  sync_id uuid, person_urn text not null,
  engagement_key text collate "C" not null,
  engagement_type text not null check (engagement_type in ('Like', 'Comment', 'Author')),
  reaction text, is_reply boolean not null default false, comment_text text, comment_posted_at timestamptz,
  post_urn text, post_url text, post_posted_at timestamptz, name text, handle text, headline text,
  linkedin_url text not null, avatar_url text, job_title text, country text, company_urn text, company_name text,
  company_domain text, company_industry text, company_enriched_at timestamptz,
  enrichment text not null check (enrichment in ('pending', 'processing', 'completed', 'failed', 'skipped', 'raw')),
  skip_reason text, is_icp boolean,
  webhook_status text not null check (webhook_status in ('pending', 'sent', 'failed', 'no_webhook')),
  created_at timestamptz not null,
  -- When enrichment was first completed.
  enriched_at timestamptz,
  -- The webhook's generation at capture; leads of an earlier one are sent by push only.
  webhook_generation integer,
  name_folded text generated always as (text_fold(name)) stored,
  job_title_folded text generated always as (text_fold(job_title)) stored,
  company_name_folded text generated always as (text_fold(company_name)) stored,
  company_domain_folded text generated always as (text_fold(company_domain)) stored,
  country_folded text generated always as (text_fold(country)) stored,
  company_industry_folded text generated always as (text_fold(company_industry)) stored,
  name_key bigint generated always as (hashtextextended(text_fold(name), 0)) stored,
  job_title_key bigint generated always as (hashtextextended(text_fold(job_title), 0)) stored,
  company_name_key bigint generated always as (hashtextextended(text_fold(company_name), 0)) stored,
  company_domain_key bigint generated always as (hashtextextended(text_fold(company_domain), 0)) stored,
  country_key bigint generated always as (hashtextextended(text_fold(country), 0)) stored,
  company_industry_key bigint generated always as (hashtextextended(text_fold(company_industry), 0)) stored,
  country_code text,
  primary key (team_id, id),
  constraint lead_once unique (team_id, owner_id, engagement_key)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02,
  fillfactor = 85, autovacuum_vacuum_cost_limit = 2000);
create index lead_of_owner on lead (team_id, owner_id, created_at desc, id desc) where enrichment <> 'raw';
create index lead_of_person on lead (team_id, person_urn, created_at desc, id desc);
create index lead_of_handle on lead (team_id, handle, person_urn) where handle is not null;
create index lead_of_company on lead (team_id, company_urn) where company_urn is not null;
create index lead_waiting on lead (team_id, owner_id) where enrichment in ('pending', 'processing');
create index lead_sorted_by_name on lead (team_id, lower("left"(name, 60)) collate "C", created_at desc, id desc)
  where enrichment <> 'raw';
create index lead_sorted_by_company on lead (team_id, lower("left"(company_name, 60)) collate "C", created_at desc, id desc)
  where enrichment <> 'raw';
create index lead_of_post on lead (team_id, post_urn) where post_urn is not null;
create index lead_listed on lead (team_id, created_at desc, id desc, owner_id) where enrichment <> 'raw';
create index lead_listed_by_webhook on lead (team_id, webhook_status, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_icp on lead (team_id, is_icp, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_kind on lead (team_id, source_kind, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_type on lead (team_id, engagement_type, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_name on lead (team_id, name_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and name_key is not null;
create index lead_listed_by_job_title on lead (team_id, job_title_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and job_title_key is not null;
create index lead_listed_by_company_name on lead (team_id, company_name_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and company_name_key is not null;
create index lead_listed_by_company_domain on lead (team_id, company_domain_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and company_domain_key is not null;
create index lead_listed_by_country on lead (team_id, country_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and country_key is not null;
create index lead_listed_by_company_industry on lead (team_id, company_industry_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and company_industry_key is not null;
create index lead_raw_listed on lead (team_id, created_at desc, id desc) include (owner_id, engagement_type)
  where enrichment = 'raw';

create table lead_text (
  team_id uuid not null references team,
  field text not null check (field in ('name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry')),
  key bigint not null, folded text not null,
  primary key (team_id, field, key)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index lead_text_long on lead_text using gin (team_id, field, folded gin_trgm_ops);
create index lead_text_short on lead_text using gin (team_id, field, short_grams(folded));


create table exclusion (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('person', 'company', 'domain', 'email', 'title', 'country')),
  -- What is compared: the member id or page number if known, else the normalised value.
  key text not null, value text not null, list text not null, reason text,
  origin text not null check (origin in ('api', 'dashboard', 'csv', 'destination', 'result')),
  created_by text not null, created_at timestamptz not null,
  primary key (team_id, id),
  -- A person listed under several names before they were known to be one keeps an entry for each.
  constraint exclusion_once unique (team_id, kind, key, value)
);
create unique index exclusion_one_value on exclusion (team_id, kind, key) where kind not in ('person', 'company');
create index exclusion_named on exclusion (team_id, value, key) where kind in ('person', 'company');
create index exclusion_newest on exclusion (team_id, created_at desc, id desc);

create table exclusion_settings (
  team_id uuid primary key references team, works_at_source boolean not null default false,
  replied_elsewhere boolean not null default true, changed_at timestamptz not null
);

create table enrichment_task (
  team_id uuid not null references team, person_urn text not null, attempts integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  created_at timestamptz not null, unexpected_failures integer not null default 0,
  primary key (team_id, person_urn)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index enrichment_task_due on enrichment_task (due_at);
create index enrichment_task_of_team_due on enrichment_task (team_id, due_at, person_urn);

create table icp (
  team_id uuid not null references team, owner_id uuid not null, rules jsonb not null,
  match_mode text not null check (match_mode in ('all', 'any')),
  version integer not null, saved_at timestamptz not null,
  primary key (team_id, owner_id)
) with (fillfactor = 70);

create table icp_rescore (
  team_id uuid not null references team, owner_id uuid not null, version integer not null, cursor_at timestamptz,
  cursor_id uuid, judged integer not null default 0, done boolean not null default false, lease_until_ms bigint,
  started_at timestamptz not null, unexpected_failures integer not null default 0, due_at timestamptz,
  lease_owner uuid, fence bigint not null default 0,
  primary key (team_id, owner_id)
) with (fillfactor = 50);
create index icp_rescore_open on icp_rescore (started_at) where not done;
create index icp_rescore_of_team_open on icp_rescore (team_id, owner_id) where not done;

create table agent_ranking (
  team_id uuid not null references team, agent_id uuid not null, judged_by text, wanted_by text, rules text,
  round integer not null default 0, cursor_urn text, judged integer not null default 0,
  asked boolean not null default true, asked_at timestamptz not null, due_at timestamptz, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, unexpected_failures integer not null default 0,
  primary key (team_id, agent_id),
  constraint agent_ranking_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 50);

create table agent_person (
  team_id uuid not null references team, agent_id uuid not null, person_urn text not null, lead_id uuid not null,
  fact_id uuid, company_urn text, detected_at timestamptz not null, ended boolean not null,
  waiting boolean not null, listed boolean not null, icp smallint, signal smallint not null,
  engagements integer not null, topic text, source integer not null, judged jsonb not null, round integer not null,
  primary key (team_id, agent_id, person_urn),
  constraint agent_person_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id)
) with (fillfactor = 80);
create index agent_person_newest on agent_person (team_id, agent_id, detected_at desc, lead_id desc)
  include (person_urn, ended, listed, waiting, icp, signal);
create index agent_person_of_company on agent_person (company_urn) where company_urn is not null;

create table agent_post (
  team_id uuid not null references team, agent_id uuid not null, post_urn text not null, topics text not null,
  text_digest text not null, author_urn text, topic text, headline_topic text, kinds jsonb not null,
  primary key (team_id, post_urn, agent_id),
  constraint agent_post_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id),
  constraint agent_post_team_id_post_urn_fkey foreign key (team_id, post_urn) references post(team_id, urn) on delete cascade
);
create index agent_post_of_author on agent_post (team_id, agent_id, author_urn, post_urn desc)
  include (topics, topic, headline_topic) where author_urn is not null;

create table agent_ranking_due (
  team_id uuid not null references team, agent_id uuid not null,
  about text not null check (about in ('person', 'post')),
  urn text not null, mark bigint not null,
  primary key (team_id, agent_id, about, urn, mark)
);

create table webhook (
  team_id uuid not null references team, owner_id uuid not null,
  owner_kind text not null check (owner_kind in ('source', 'agent', 'destination', 'hook')),
  url text, icp_only boolean not null default false, auto_send boolean not null default true,
  auto_send_since timestamptz, sync_events boolean not null default false, url_set_at timestamptz,
  failing_since timestamptz, disabled_at timestamptz, disabled_reason text, agent_id uuid,
  filters jsonb not null default '[]'::jsonb,
  -- Incremented when the URL changes or autoSend is switched on (G158, G160).
  generation integer not null default 0,
  -- Deliveries of a lower generation are cancelled, because the URL was cleared.
  cancelled_below_generation integer not null default 0,
  -- True while the rows of cancelled deliveries are still being updated.
  clearing_unfinished boolean not null default false,
  -- Events of a REST hook; null: all.
  events text[],
  -- Sealed signing secret of a REST hook; null: the team's.
  secret bytea,
  primary key (team_id, owner_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index webhook_of_team on webhook (team_id, owner_id) where owner_kind in ('destination', 'hook');
create index webhook_clearing_unfinished on webhook (team_id, owner_id) where clearing_unfinished;

create table delivery (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, event text not null,
  subject text not null, lead_id uuid,
  -- The source of the event, if the owner is a destination or a REST hook.
  source_id uuid,
  -- The webhook's generation when it was queued.
  generation integer not null default 0,
  state text not null check (state in ('pending', 'sent', 'failed', 'held', 'cancelled', 'excluded')),
  body bytea, attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, created_at timestamptz not null, finished_at timestamptz,
  awaits_enrichment boolean not null default false, icp_only boolean not null default false,
  unexpected_failures integer not null default 0,
  -- Queued because autoSend was on; cancelled if it is switched off.
  automatic boolean not null default false,
  -- The lead's webhook_status before it was queued, restored if the person is excluded before it is sent.
  lead_status text not null default 'pending' check (lead_status in ('pending', 'sent', 'failed', 'no_webhook')),
  primary key (team_id, id),
  constraint delivery_once unique (team_id, owner_id, event, subject)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index delivery_due on delivery (due_at) where state = 'pending';
create index delivery_turn on delivery (team_id, owner_id, due_at, id) where state = 'pending';
create index delivery_of_lead on delivery (team_id, lead_id) where lead_id is not null;
create index delivery_of_source on delivery (team_id, source_id, id) where source_id is not null;
create index delivery_awaiting_sync on delivery (team_id, source_id)
  where source_id is not null and event = 'sync.completed' and state = 'held';
create index delivery_held on delivery (team_id, owner_id) where state = 'held';
create index delivery_of_owner on delivery (team_id, owner_id, id) include (state);
create index delivery_given_up on delivery (team_id, id) where state in ('failed', 'cancelled', 'excluded');
create index delivery_not_of_lead on delivery (team_id, id) where event <> 'lead.detected';
create index delivery_of_team_due on delivery (team_id, due_at) where state = 'pending';
create index delivery_body_age on delivery (team_id, finished_at) where body is not null and finished_at is not null;

create table delivery_attempt (
  team_id uuid not null references team, delivery_id uuid not null, number integer not null,
  at timestamptz not null, status integer, outcome text not null, elapsed_ms integer not null, response text,
  primary key (team_id, delivery_id, number)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index delivery_attempt_age on delivery_attempt (at);

create table push (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, icp_only boolean not null,
  considered integer not null, queued integer not null,
  excluded integer not null default 0, created_at timestamptz not null, queueing boolean not null default false,
  looked integer not null default 0, cursor_at timestamptz, cursor_id uuid, due_at timestamptz, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, unexpected_failures integer not null default 0,
  primary key (team_id, id)
);
create index push_queueing on push (team_id, created_at, id) where queueing;

create table push_lead (
  team_id uuid not null references team, push_id uuid not null, delivery_id uuid not null,
  primary key (team_id, push_id, delivery_id)
);
create index push_lead_of_delivery on push_lead (team_id, delivery_id);

create table outreach_refusal (
  team_id uuid primary key references team, sealed_hash bytea not null, refused_at timestamptz not null
);

create table outreach_rule (
  team_id uuid not null references team, owner_id uuid not null,
  owner_kind text not null check (owner_kind in ('source', 'agent')),
  campaign_id text not null, campaign_name text not null, auto_send boolean not null,
  auto_send_since timestamptz not null, filters jsonb not null,
  state text not null check (state in ('active', 'paused')),
  paused_reason text check (paused_reason in ('invalid_key', 'campaign_closed')),
  updated_at timestamptz not null, due_at timestamptz not null, failures integer not null default 0,
  lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  primary key (team_id, owner_id),
  constraint outreach_rule_paused check ((state = 'paused') = (paused_reason is not null))
);
create index outreach_rule_due on outreach_rule (due_at) where state = 'active';

create table outreach_queue (
  team_id uuid not null references team, owner_id uuid not null, person_urn text not null, lead_id uuid not null,
  historic boolean not null, due_at timestamptz not null, queued_at timestamptz not null,
  primary key (team_id, owner_id, person_urn),
  constraint outreach_queue_team_id_owner_id_fkey foreign key (team_id, owner_id)
    references outreach_rule(team_id, owner_id) on delete cascade
);
create index outreach_queue_due on outreach_queue (team_id, owner_id, due_at);

create table outreach_batch (
  team_id uuid not null references team, id uuid not null, campaign_id text not null,
  state text not null check (state in ('sending', 'uncertain', 'settled')),
  due_at timestamptz not null, checks integer not null default 0, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0, created_at timestamptz not null, finished_at timestamptz,
  unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint outreach_batch_final check ((state = 'settled') = (finished_at is not null))
);
create index outreach_batch_open on outreach_batch (due_at) where state <> 'settled';
create index outreach_batch_of_team_open on outreach_batch (team_id, state, due_at) where state <> 'settled';

create table outreach_send (
  team_id uuid not null references team, id uuid not null, campaign_id text not null, batch_id uuid not null,
  person_urn text, handle text, profile_url text not null, lead_id uuid,
  state text not null check (state in ('sending', 'sent', 'failed', 'uncertain')),
  sent_at timestamptz not null,
  primary key (team_id, id),
  constraint outreach_send_named check (person_urn is not null or handle is not null)
);
create unique index outreach_send_person on outreach_send (team_id, campaign_id, person_urn) where person_urn is not null;
create unique index outreach_send_handle on outreach_send (team_id, campaign_id, handle) where handle is not null;
create index outreach_send_of_batch on outreach_send (team_id, batch_id);
create index outreach_send_of_person on outreach_send (team_id, person_urn) where person_urn is not null;
create index outreach_send_of_handle on outreach_send (team_id, handle) where handle is not null;

create table planned_send (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('push', 'agent', 'campaign', 'people', 'replay', 'delivery')),
  label text not null, campaign_id text, agent_id uuid, goes integer not null,
  state text not null check (state in ('planned', 'sending', 'done', 'failed', 'cancelled')),
  failure text, requested_by text not null, created_at timestamptz not null, due_at timestamptz not null,
  starts_at timestamptz not null, finished_at timestamptz, attempts integer not null default 0,
  unexpected_failures integer not null default 0, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0,
  primary key (team_id, id),
  constraint planned_send_over check ((finished_at is not null) = state in ('done', 'failed', 'cancelled'))
);
create index planned_send_of_team_due on planned_send (team_id, due_at, id) where state in ('planned', 'sending');
create index planned_send_newest on planned_send (team_id, created_at desc, id desc);

create table planned_send_part (
  team_id uuid not null, send_id uuid not null, place integer not null, owner_id uuid, ids uuid[] not null,
  how jsonb not null, counts jsonb, push_id uuid,
  primary key (team_id, send_id, place),
  constraint planned_send_part_team_id_send_id_fkey foreign key (team_id, send_id)
    references planned_send(team_id, id) on delete cascade
);

create table outreach_history (
  team_id uuid not null, owner_id uuid not null, asked_at timestamptz not null, considered integer not null,
  looked integer not null default 0, matched integer not null default 0, queued integer not null default 0,
  cursor_at timestamptz, cursor_id uuid, queueing boolean not null default true,
  primary key (team_id, owner_id),
  constraint outreach_history_team_id_owner_id_fkey foreign key (team_id, owner_id)
    references outreach_rule(team_id, owner_id) on delete cascade
);
create index outreach_history_queueing on outreach_history (team_id, owner_id) where queueing;

create table destination (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('webhook', 'slack', 'hubspot', 'google_sheets', 's3', 'attio', 'salesforce')),
  name text not null, active boolean not null,
  paused_reason text check (paused_reason in ('credentials_rejected', 'scope_missing', 'setup_missing', 'quota', 'plan')),
  settings jsonb not null, credentials bytea, credentials_hint text, filters jsonb not null,
  icp_only boolean not null,
  -- Null: all sources.
  source_ids uuid[], mapping jsonb not null, created_at timestamptz not null, last_delivered_at timestamptz,
  failing_since timestamptz,
  -- Consecutive calls without an answer.
  failures integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  -- When the CRM's stages are polled next, and the cursor of the poll under way.
  stages_at timestamptz, stages_after text,
  primary key (team_id, id)
);

create table destination_delivery (
  team_id uuid not null references team, id uuid not null, destination_id uuid not null,
  -- The person's id, or the lead's for kinds with one message per lead.
  subject text not null, person_urn text not null, lead_id uuid not null, push_id uuid,
  state text not null check (state in ('waiting', 'delivered', 'unchanged', 'refused', 'excluded', 'unknown')),
  attempts integer not null default 0,
  -- Set before sending, cleared with the outcome: if it is still set after a crash, the record may have been sent.
  begun_at timestamptz, remote_id text, remote_url text, error jsonb, due_at timestamptz not null,
  at timestamptz not null,
  primary key (team_id, id),
  constraint destination_delivery_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
) with (fillfactor = 70);
create unique index destination_delivery_waiting on destination_delivery (team_id, destination_id, subject)
  where state = 'waiting' and begun_at is null;
create index destination_delivery_due on destination_delivery (team_id, destination_id, due_at, id) where state = 'waiting';
create index destination_delivery_newest on destination_delivery (team_id, destination_id, id desc) include (state);
create index destination_delivery_of_person on destination_delivery (team_id, person_urn);
create index destination_delivery_of_push on destination_delivery (team_id, push_id) where push_id is not null;

-- Days whose files have no manifest yet.
create table destination_day (
  team_id uuid not null references team, destination_id uuid not null, day date not null,
  closes_at timestamptz not null,
  primary key (team_id, destination_id, day),
  constraint destination_day_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
);

create table destination_record (
  team_id uuid not null references team, destination_id uuid not null, subject text not null,
  person_urn text not null, remote_id text not null, remote_url text, company_id text,
  -- Keys of engagements that have a note on the platform.
  notes text[] not null,
  -- SHA-256 of the document last written; an unchanged one is not sent.
  digest bytea not null, written_at timestamptz not null,
  primary key (team_id, destination_id, subject),
  constraint destination_record_of_destination foreign key (team_id, destination_id) references destination(team_id, id)
);
create index destination_record_of_person on destination_record (team_id, person_urn);

create table lead_export (
  team_id uuid not null references team, id uuid not null,
  format text not null check (format in ('csv', 'jsonl')),
  preset text check (preset in ('hubspot', 'heyreach', 'instantly', 'smartlead', 'clay', 'apollo')),
  filters jsonb not null,
  state text not null check (state in ('running', 'done', 'failed')),
  row_count integer not null default 0, parts integer not null default 0,
  -- The last row written.
  cursor_at timestamptz, cursor_id uuid, created_at timestamptz not null, expires_at timestamptz,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint lead_export_over check ((state = 'running') = (expires_at is null))
);
create index lead_export_running on lead_export (team_id, due_at, id) where state = 'running';
create index lead_export_expiry on lead_export (expires_at) where expires_at is not null;

create table lead_export_part (
  team_id uuid not null references team, export_id uuid not null, number integer not null,
  -- Gzip; the parts concatenated are one file.
  data bytea not null,
  primary key (team_id, export_id, number),
  constraint lead_export_part_of_export foreign key (team_id, export_id) references lead_export(team_id, id) on delete cascade
);

create table erasure (
  team_id uuid not null references team, id uuid not null, person_id uuid not null, subject_hash bytea not null,
  reason text, counts jsonb not null, not_told text[] not null, erased_at timestamptz not null,
  primary key (team_id, id)
);
create index erasure_newest on erasure (team_id, erased_at desc, id desc);

create table blocked_person (
  team_id uuid not null references team, hash bytea not null, erasure_id uuid not null,
  primary key (team_id, hash)
);

create table result (
  team_id uuid not null references team, id uuid not null,
  person_urn text, handle text, lead_id uuid,
  outcome text not null check (outcome in ('sent', 'accepted', 'replied', 'interested', 'not_interested', 'meeting', 'won',
    'lost', 'bounced', 'unsubscribed')),
  at timestamptz not null, amount double precision, currency text,
  origin text not null check (origin in ('api', 'heyreach', 'crm')),
  external_id text,
  -- Only of results from the outreach platform, which may report the same result several times.
  campaign_id text, note text, recorded_at timestamptz not null,
  primary key (team_id, id),
  constraint result_named check (person_urn is not null or handle is not null)
);
create unique index result_external on result (team_id, origin, external_id) where external_id is not null;
create unique index result_of_person on result (team_id, person_urn, outcome, at) where person_urn is not null;
create unique index result_of_handle on result (team_id, handle, outcome, at) where handle is not null;
create index result_at on result (team_id, at);

create table result_inbox (
  team_id uuid not null references team, hash bytea not null,
  -- A member id or handle, so that an erasure finds the row.
  person text, body text not null, received_at timestamptz not null, applied_at timestamptz,
  primary key (team_id, hash)
);
create index result_inbox_waiting on result_inbox (team_id, received_at) where applied_at is null;
create index result_inbox_age on result_inbox (received_at);

-- Results from the outreach platform: the team's secret address, and when results are polled next.
create table result_feed (
  team_id uuid not null references team,
  feed text not null check (feed = 'heyreach'),
  secret_hash bytea not null, sealed_secret bytea not null, made_at timestamptz not null,
  due_at timestamptz not null, poll_at timestamptz not null, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0, unexpected_failures integer not null default 0,
  primary key (team_id, feed)
) with (fillfactor = 70);
create unique index result_feed_secret on result_feed (secret_hash);
create index result_feed_due on result_feed (due_at);
