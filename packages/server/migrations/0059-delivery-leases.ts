/**
 * A delivery under way has a lease beside it (docs/decisions/0091): a claim writes a few bytes and one entry of one index, where it wrote
 * the whole delivery anew with an entry in each of nine.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table delivery_lease (
    team_id uuid not null,
    owner_id uuid not null,
    delivery_id uuid not null,
    lease_owner uuid not null,
    lease_until_ms bigint not null,
    fence bigint not null,
    primary key (team_id, owner_id, delivery_id)
  )`,
  // A row comes and goes with every delivery.
  `alter table delivery_lease set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_cost_delay = 0)`,
  // Deliveries that were queued together are due together: kept as one entry for two hundred of them, those that are sent stay in the way
  // of every claim until the last of the two hundred is.
  `alter index delivery_turn set (deduplicate_items = off)`,
  // The release before this one may work beside it: what it leases on the row itself is not under a lease here, whose time it counts
  // from its own (60 s before its lease ends). It is taken from who had one that has run out.
  `create function delivery_is_leased() returns trigger language plpgsql as $$ begin
    delete from delivery_lease
    where team_id = new.team_id and owner_id = new.owner_id and delivery_id = new.id
      and lease_until_ms <= new.lease_until_ms - 60000;
    if exists (select 1 from delivery_lease
      where team_id = new.team_id and owner_id = new.owner_id and delivery_id = new.id) then
      return null;
    end if;
    return new;
  end $$`,
  `create trigger delivery_leased_once before update of state on delivery for each row
    when (new.state = 'sending') execute function delivery_is_leased()`,
]
