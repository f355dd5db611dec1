/** Exports everything a team holds of a person, place by place: the data that `erase.ts` removes. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { madeAt } from '../../platform/random.ts'
import { namesPerson, type ErasedPerson } from '../accounts/index.ts'
import { chargeKeysOfPerson } from '../credits/index.ts'
import { listRunIds } from '../discover/index.ts'
import { listLeadsOfPeople } from '../leads/index.ts'
import { findPersonById, idOfPerson, listPostsBy } from '../network/index.ts'
import { listSourceIds } from '../sources/index.ts'
import { listEveryName } from './names.ts'

type Fact = {
  readonly about: string
  readonly value: unknown
  readonly source: 'vendor' | 'engagement' | 'destination' | 'member'
  readonly recordedAt: string
}

/** By source and what the facts are about, a query for rows (value, at). */
type Places = { readonly [S in Fact['source']]: Readonly<Record<string, RawBuilder<unknown>>> }

type Of = {
  readonly teamId: string
  readonly person: ErasedPerson
  readonly postUrns: readonly string[]
  readonly chargeKeys: readonly string[]
}

function placesOf({ teamId, person, postUrns, chargeKeys }: Of): Places {
  const urns = sql`any(${[...person.urns]}::text[])`
  const handles = sql`any(${[...person.handles]}::text[])`
  const leads = sql`(select id from lead where team_id = ${teamId} and person_urn = ${urns})`
  const names = (text: RawBuilder<unknown>) => namesPerson(text, person)
  return {
    engagement: {
      lead: sql`
        select jsonb_strip_nulls(to_jsonb(l) - 'team_id' - 'name_folded' - 'job_title_folded' - 'company_name_folded'
          - 'company_domain_folded' - 'country_folded' - 'company_industry_folded' - 'name_key' - 'job_title_key'
          - 'company_name_key' - 'company_domain_key' - 'country_key' - 'company_industry_key') as value, l.created_at as at
        from lead l where l.team_id = ${teamId} and l.person_urn = ${urns}`,
      agent_score: sql`
        select to_jsonb(a) - 'team_id' as value, a.detected_at as at from agent_person a
        where a.team_id = ${teamId} and a.person_urn = ${urns}`,
      charge: sql`
        select jsonb_build_object('id', e.id, 'category', e.category, 'amount', e.amount, 'sourceId', e.source_id) as value,
          e.created_at as at
        from unnest(${[...chargeKeys]}::text[]) as named (key)
        join credit_entry e on e.team_id = ${teamId} and e.key = named.key`,
    },
    vendor: {
      post: sql`
        select to_jsonb(p) - 'team_id' as value, p.first_seen_at as at from post p
        where p.team_id = ${teamId} and p.urn = any(${[...postUrns]}::text[])`,
      discover: sql`
        select to_jsonb(d) - 'team_id' as value, coalesce(d.added_at, r.created_at) as at from discover_person d
        join discover_run r on r.team_id = d.team_id and r.id = d.run_id
        where d.team_id = ${teamId} and d.person_urn = ${urns}`,
      job: sql`
        select jsonb_build_object('id', j.id, 'type', j.type, 'payload', j.payload, 'result', j.result) as value,
          coalesce(j.finished_at, j.created_at) as at
        from job j where j.team_id = ${teamId} and ${names(sql`j.payload::text || coalesce(j.result::text, '')`)}`,
    },
    destination: {
      delivery: sql`
        select jsonb_build_object('id', d.id, 'event', d.event, 'leadId', d.lead_id, 'state', d.state, 'attempts', d.attempts,
          'url', w.url) as value, coalesce(d.finished_at, d.created_at) as at
        from delivery d left join webhook w on w.team_id = d.team_id and w.owner_id = d.owner_id
        where d.team_id = ${teamId} and (d.lead_id in ${leads}
          or (d.event = 'post.detected' and d.subject = any(${[...postUrns]}::text[])))`,
      outreach_send: sql`
        select to_jsonb(o) - 'team_id' as value, o.sent_at as at from outreach_send o
        where o.team_id = ${teamId} and (o.person_urn = ${urns} or o.handle = ${handles})`,
      destination_delivery: sql`
        select jsonb_build_object('id', d.id, 'destination', t.name, 'kind', t.kind, 'leadId', d.lead_id, 'state', d.state,
          'remoteId', d.remote_id, 'remoteUrl', d.remote_url, 'error', d.error) as value, d.at
        from destination_delivery d join destination t on t.team_id = d.team_id and t.id = d.destination_id
        where d.team_id = ${teamId} and d.person_urn = ${urns}`,
      destination_record: sql`
        select jsonb_build_object('destination', t.name, 'kind', t.kind, 'remoteId', r.remote_id, 'remoteUrl', r.remote_url) as value,
          r.written_at as at
        from destination_record r join destination t on t.team_id = r.team_id and t.id = r.destination_id
        where r.team_id = ${teamId} and r.person_urn = ${urns}`,
      result: sql`
        select to_jsonb(r) - 'team_id' as value, r.recorded_at as at from result r
        where r.team_id = ${teamId} and (r.person_urn = ${urns} or r.handle = ${handles})`,
      result_post: sql`
        select to_jsonb(i.body) as value, i.received_at as at from result_inbox i
        where i.team_id = ${teamId} and (i.person = ${urns} or i.person = ${handles})`,
    },
    member: {
      outreach_queue: sql`
        select to_jsonb(q) - 'team_id' as value, q.queued_at as at from outreach_queue q
        where q.team_id = ${teamId} and q.person_urn = ${urns}`,
      tracked_source: sql`
        select jsonb_build_object('id', s.id, 'username', s.username, 'status', s.status) as value, s.created_at as at
        from source s where s.team_id = ${teamId} and s.type = 'person'
          and (s.username = ${urns} or s.username = ${handles} or s.network_urn = ${urns})`,
      search: sql`
        select jsonb_build_object('id', k.source_id, 'filters', k.filters) as value, k.saved_at as at
        from keyword_search k where k.team_id = ${teamId} and ${names(sql`k.filters::text`)}`,
      exclusion: sql`
        select to_jsonb(x) - 'team_id' as value, x.created_at as at from exclusion x
        where x.team_id = ${teamId} and (x.key = ${urns} or x.key = ${handles} or ${names(sql`x.value || ' ' || coalesce(x.reason, '')`)})`,
      saved_view: sql`
        select jsonb_build_object('id', v.id, 'name', v.name, 'query', v.query) as value, v.updated_at as at
        from saved_view v where v.team_id = ${teamId} and ${names(sql`v.name || ' ' || v.query::text`)}`,
      planned_send: sql`
        select jsonb_build_object('id', s.id, 'how', p.how) as value, s.created_at as at
        from planned_send_part p join planned_send s on s.team_id = p.team_id and s.id = p.send_id
        where p.team_id = ${teamId} and ${names(sql`p.how::text`)}`,
      audit_entry: sql`
        select jsonb_build_object('id', a.id, 'operation', a.operation, 'target', a.target, 'details', a.details) as value,
          a.at
        from audit_entry a
        where a.team_id = ${teamId} and ${names(sql`coalesce(a.target, '') || ' ' || a.details::text`)}`,
      call: sql`
        select jsonb_build_object('id', c.id, 'method', c.method, 'path', c.path, 'query', c.query, 'body', c.body) as value,
          c.at
        from request_log c
        where c.team_id = ${teamId} and ${names(sql`c.path || ' ' || c.query || ' ' || coalesce(c.body, '')`)}`,
    },
  }
}

/** One fact per directory field, recorded when the profile was read, else when the person was first seen. */
async function profileFacts(db: Reader, teamId: string, urns: readonly string[]): Promise<Fact[]> {
  const { rows } = await sql<{ id: string; enrichedAt: Date | null; profile: Record<string, unknown> }>`
    select id, enriched_at as "enrichedAt", jsonb_strip_nulls(to_jsonb(p) - 'team_id' - 'id' - 'enriched_at') as profile
    from person p where team_id = ${teamId} and urn = any(${[...urns]}::text[]) order by id`.execute(db)
  return rows.flatMap(({ id, enrichedAt, profile }) =>
    Object.entries(profile).map(
      ([name, value]): Fact => ({
        about: `profile.${name}`,
        value,
        source: 'vendor',
        recordedAt: (enrichedAt ?? madeAt(id)).toISOString(),
      }),
    ),
  )
}

/** All facts of a person by directory id; undefined when the team knows no such person. */
export async function exportOf(
  db: Reader,
  { teamId, personId, now }: { readonly teamId: string; readonly personId: string; readonly now: Date },
): Promise<{ personId: string; exportedAt: string; facts: Fact[] } | undefined> {
  const found = await findPersonById(db, teamId, personId)
  if (!found) return undefined
  const person = await listEveryName(db, teamId, [{ urn: found.urn, handle: found.handle ?? undefined }])
  const postUrns = await listPostsBy(db, teamId, person)
  const owners = [...(await listSourceIds(db, teamId)), ...(await listRunIds(db, teamId))]
  const leads = await listLeadsOfPeople(db, teamId, person.urns)
  const chargeKeys = chargeKeysOfPerson({ urns: person.urns, owners, leads })
  const facts = await profileFacts(db, teamId, person.urns)
  for (const [source, places] of Object.entries(placesOf({ teamId, person, postUrns, chargeKeys })))
    for (const [about, query] of Object.entries(places)) {
      const { rows } = await sql<{ value: unknown; at: Date }>`select * from (${query}) held order by at`.execute(db)
      facts.push(
        ...rows.map(({ value, at }) => ({
          about,
          value,
          source: source as Fact['source'],
          recordedAt: at.toISOString(),
        })),
      )
    }
  return { personId: (await idOfPerson(db, teamId, person.urns))!, exportedAt: now.toISOString(), facts }
}
