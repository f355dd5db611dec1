/** Results of sent people, and the feed through which the outreach platform reports them. */
export const results = `
create table result (
  team_id uuid not null references team, id uuid not null,
  -- Whom it is about: the member id where it is known, the handle, or both.
  person_urn text, handle text, lead_id uuid,
  outcome text not null check (outcome in ('sent', 'accepted', 'replied', 'interested', 'not_interested', 'meeting', 'won',
    'lost', 'bounced', 'unsubscribed')),
  at timestamptz not null, amount double precision, currency text,
  origin text not null check (origin in ('api', 'heyreach', 'crm')),
  external_id text,
  -- Of the outreach platform: it tells the same thing in several ways and at several instants.
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
  -- Whom it is about, so that it is found when that person is erased: a member id or a handle.
  person text, body text not null, received_at timestamptz not null, applied_at timestamptz,
  primary key (team_id, hash)
);
create index result_inbox_waiting on result_inbox (team_id, received_at) where applied_at is null;
create index result_inbox_age on result_inbox (received_at);

-- A team's way of hearing from the outreach platform: its secret address, and when it is looked at next.
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
