/** Tracked posts: the address a post was submitted with, and the other URNs it is known under (POS-10, G88); long write-offs. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements = [
  `alter table source add column post_url text`,
  // A ugcPost URN, or an activity URN that the network resolved to another, by which the team may name its tracked post.
  `create table source_alias (
    team_id uuid not null references team,
    urn text not null,
    source_id uuid not null,
    primary key (team_id, urn),
    constraint source_alias_of_source foreign key (team_id, source_id) references source
  )`,
  // Untracked sources with more waiting leads than one request writes off.
  `create table write_off (
    team_id uuid not null references team,
    source_id uuid not null,
    primary key (team_id, source_id)
  )`,
]
