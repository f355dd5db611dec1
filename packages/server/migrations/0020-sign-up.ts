/**
 * Signing up needs a proven address, and one trial belongs to one address. An invitation may come from the operator, for the
 * first owner of a team. Who is in a team already keeps being let in; whoever owns one has had their trial.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `alter table sign_in.invitation alter column invited_by drop not null`,
  // Which addresses have had their trial: a hash, without what comes after a plus sign.
  `create table sign_in.trial (
    address bytea primary key,
    user_id text not null,
    team_id uuid not null,
    started_at timestamptz not null
  )`,
  `update sign_in."user" u set "emailVerified" = true
    where exists (select 1 from sign_in.membership m where m.user_id = u.id)`,
  `delete from sign_in.session s using sign_in."user" u where u.id = s."userId" and not u."emailVerified"`,
  `insert into sign_in.trial (address, user_id, team_id, started_at)
    select sha256(convert_to(regexp_replace(lower(u.email), '[+][^@]*@', '@'), 'UTF8')), u.id, m.team_id, m.created_at
    from sign_in.membership m join sign_in."user" u on u.id = m.user_id where m.role = 'owner'
    order by m.created_at
    on conflict (address) do nothing`,
]
