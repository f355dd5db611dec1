/** Outreach: connections, campaign rules, and who was sent where. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // A key that the platform has refused, by the bytes it was sealed to: another key has others, so storing one undoes this.
  `create table outreach_refusal (
    team_id uuid primary key references team,
    sealed_hash bytea not null,
    refused_at timestamptz not null
  )`,
  `create table outreach_rule (
    team_id uuid not null references team,
    owner_id uuid not null,
    owner_kind text not null check (owner_kind in ('source', 'agent')),
    campaign_id text not null,
    campaign_name text not null,
    auto_send boolean not null,
    auto_send_since timestamptz not null,
    filters jsonb not null,
    state text not null check (state in ('active', 'paused')),
    paused_reason text check (paused_reason in ('invalid_key', 'campaign_closed')),
    updated_at timestamptz not null,
    due_at timestamptz not null,
    failures integer not null default 0,
    lease_owner uuid,
    lease_until_ms bigint,
    fence bigint not null default 0,
    primary key (team_id, owner_id),
    constraint outreach_rule_paused check ((state = 'paused') = (paused_reason is not null))
  )`,
  `create index outreach_rule_due on outreach_rule (due_at) where state = 'active'`,
  // People whom a rule is to send; the row goes when the ledger has them in the campaign, or when they may not go any more.
  `create table outreach_queue (
    team_id uuid not null references team,
    owner_id uuid not null,
    person_urn text not null,
    lead_id uuid not null,
    historic boolean not null,
    due_at timestamptz not null,
    queued_at timestamptz not null,
    primary key (team_id, owner_id, person_urn),
    foreign key (team_id, owner_id) references outreach_rule on delete cascade
  )`,
  `create index outreach_queue_due on outreach_queue (team_id, owner_id, due_at)`,
  // One call that adds people to a campaign.
  `create table outreach_batch (
    team_id uuid not null references team,
    id uuid not null,
    campaign_id text not null,
    state text not null check (state in ('sending', 'uncertain', 'settled')),
    due_at timestamptz not null,
    checks integer not null default 0,
    lease_owner uuid,
    lease_until_ms bigint,
    fence bigint not null default 0,
    created_at timestamptz not null,
    finished_at timestamptz,
    primary key (team_id, id),
    constraint outreach_batch_final check ((state = 'settled') = (finished_at is not null))
  )`,
  `create index outreach_batch_open on outreach_batch (due_at) where state <> 'settled'`,
  // The ledger: who was sent to which campaign. A person is known by member id, by handle, or by both.
  `create table outreach_send (
    team_id uuid not null references team,
    id uuid not null,
    campaign_id text not null,
    batch_id uuid not null,
    person_urn text,
    handle text,
    profile_url text not null,
    lead_id uuid,
    state text not null check (state in ('sending', 'sent', 'failed', 'uncertain')),
    sent_at timestamptz not null,
    primary key (team_id, id),
    constraint outreach_send_named check (person_urn is not null or handle is not null)
  )`,
  `create unique index outreach_send_person on outreach_send (team_id, campaign_id, person_urn) where person_urn is not null`,
  `create unique index outreach_send_handle on outreach_send (team_id, campaign_id, handle) where handle is not null`,
  `create index outreach_send_of_batch on outreach_send (team_id, batch_id)`,
]
