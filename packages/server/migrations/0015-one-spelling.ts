/**
 * One spelling for every name (G146): handles stored with percent-encoding are written plainly. A source whose plain name nobody
 * holds takes it; one whose plain name another source holds stays as it is, with all it has captured, and is noted in `source_report`
 * for the operator: its leads, ledger keys and deliveries hang on its own id, so the two cannot be made one without dropping some
 * (docs/decisions/0023-one-person-one-source.md).
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create index source_network_urn on source (team_id, network_urn) where network_urn is not null`,
  `create table source_report (
    team_id uuid not null references team,
    source_id uuid not null,
    reason text not null check (reason in ('double', 'no_handle', 'lower_case_id')),
    plain_name text not null,
    other_id uuid,
    primary key (team_id, source_id),
    constraint source_report_of_source foreign key (team_id, source_id) references source,
    constraint source_report_other foreign key (team_id, other_id) references source (team_id, id),
    constraint source_report_double check ((reason = 'double') = (other_id is not null))
  )`,
  `create index source_report_of_other on source_report (team_id, other_id) where other_id is not null`,
  // Valid UTF-8 without control characters, or the run as it is.
  `create function plain_run(run text) returns text language plpgsql immutable strict as $$
    declare plain text;
    begin
      plain := convert_from(decode(replace(run, '%', ''), 'hex'), 'UTF8');
      return case when plain ~ '[[:cntrl:]]' then run else plain end;
    exception when others then
      return run;
    end
  $$`,
  `create function plain_name(name text) returns text language plpgsql immutable strict as $$
    declare once text;
    begin
      loop
        select string_agg(coalesce(plain_run(part[1]), part[2]), '' order by n) into once
          from regexp_matches(name, '((?:%[0-9A-Fa-f]{2})+)|([^%]+|%)', 'g') with ordinality as parts (part, n);
        exit when once is null or once = name;
        name := once;
      end loop;
      return lower(normalize(name, NFC));
    end
  $$`,
  `do $$
    declare
      odd record;
      plain text;
      holder uuid;
    begin
      for odd in select team_id, id, username from source where type in ('person', 'company') and position('%' in username) > 0 order by team_id, status, created_at, id loop
        plain := plain_name(odd.username);
        if plain ~ '[%/?#[:space:][:cntrl:]]' or length(plain) not between 1 and 200 then
          insert into source_report (team_id, source_id, reason, plain_name) values (odd.team_id, odd.id, 'no_handle', plain);
          continue;
        end if;
        select id into holder from source where team_id = odd.team_id and identity = sha256(convert_to(plain, 'UTF8'));
        if holder is null then
          update source set username = plain, identity = sha256(convert_to(plain, 'UTF8')) where team_id = odd.team_id and id = odd.id;
        else
          insert into source_report (team_id, source_id, reason, plain_name, other_id) values (odd.team_id, odd.id, 'double', plain, holder);
        end if;
      end loop;
    end
  $$`,
  // Member ids that were stored in lower case: nobody can say whose they were.
  `insert into source_report (team_id, source_id, reason, plain_name)
    select team_id, id, 'lower_case_id', username from source where type = 'person' and username ~ '^ac[a-z]a[a-z0-9_-]{30,94}$'`,
  `update person set handle = plain_name(handle) where position('%' in handle) > 0`,
  `update lead set handle = plain_name(handle) where position('%' in handle) > 0`,
  // Somebody who was sent to a campaign under both spellings keeps both rows.
  `do $$
    declare odd record;
    begin
      for odd in select team_id, id, campaign_id, plain_name(handle) as plain from outreach_send where position('%' in handle) > 0 order by team_id, id loop
        if not exists (select 1 from outreach_send where team_id = odd.team_id and campaign_id = odd.campaign_id and handle = odd.plain) then
          update outreach_send set handle = odd.plain where team_id = odd.team_id and id = odd.id;
        end if;
      end loop;
    end
  $$`,
  `drop function plain_name(text)`,
  `drop function plain_run(text)`,
]
