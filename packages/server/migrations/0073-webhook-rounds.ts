/**
 * What goes to a webhook by itself (decisions G158, G160). `webhook.round` counts how often that began anew: its URL became another, or
 * autoSend was switched on. A lead carries the round it was captured in; one of an earlier round goes by push only. Null: captured before
 * this migration. `delivery.automatic`: it was queued because autoSend is on, and is called off when that is switched off.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  'alter table webhook add column round integer not null default 0',
  'alter table lead add column webhook_round integer',
  'alter table delivery add column automatic boolean not null default false',
  `update delivery d set automatic = true
   where d.state in ('pending', 'held') and d.event in ('lead.detected', 'post.detected') and d.body is not null
     and not exists (select 1 from push_lead p where p.team_id = d.team_id and p.delivery_id = d.id)`,
]
