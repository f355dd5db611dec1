/** Indexes for what the dashboard shows: the ledger of one source, what is no charge, the newest posts, where a person was sent, and the log of deliveries. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Ids are ordered by the instant they were made at.
  `create index credit_entry_of_source on credit_entry (team_id, source_id, id) where source_id is not null`,
  `create index credit_entry_changes on credit_entry (team_id, id) where kind <> 'charge'`,
  `create index post_newest on post (team_id, first_seen_at desc, urn desc)`,
  `create index outreach_send_of_person on outreach_send (team_id, person_urn) where person_urn is not null`,
  `create index outreach_send_of_handle on outreach_send (team_id, handle) where handle is not null`,
  `create index delivery_of_owner on delivery (team_id, owner_id, id) include (state)`,
  `create index delivery_given_up on delivery (team_id, id) where state in ('failed', 'cancelled')`,
  `create index delivery_not_of_lead on delivery (team_id, id) where event <> 'lead.detected'`,
]
