/** Defaults of a team for what it tracks: of every source, and of each kind (docs/decisions/0070). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // A part that is null says nothing: the row of all speaks for it, else nobody.
  `create table team_default (
    team_id uuid not null references team,
    kind text not null check (kind in ('all', 'person', 'company', 'post', 'keyword')),
    webhook jsonb,
    criteria jsonb,
    outreach jsonb,
    cap jsonb,
    updated_at timestamptz not null,
    primary key (team_id, kind)
  )`,
]
