/** Results of sent people, and the feed through which the outreach platform reports them. */
export const results = `
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
`
