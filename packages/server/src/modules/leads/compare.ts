/** SQL that compares two criteria over the people of an owner: who is gained, who is lost, and who misses by one row. Reads only. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { readShown, type PersonByLead, type ShownIds, type ShownPeople } from './compared-people.ts'
import { judgeable, type LeadCondition, type LeadsOf } from './scoring.ts'

/** Two criteria, compiled: null judges nobody. `rows`: each row of those that are tried, where missing by one of them means something. */
export type Compared = {
  readonly present: LeadCondition
  readonly tried: LeadCondition
  readonly rows: readonly RawBuilder<boolean>[]
}

/** Somebody by one of their leads; `missing`: the place of the one row they fail. */
export type ComparedPerson = PersonByLead & { readonly missing: number | null }

/** How people fare: each counts once, however often they engaged, and fits when one of their leads does. */
export type Comparison = {
  readonly people: number
  readonly fitNow: number
  readonly fitTried: number
  readonly gained: number
  readonly lost: number
  readonly near: number
  readonly nearBy: readonly { readonly row: number; readonly count: number }[]
  /** Leads that were not looked at: those beyond the newest. */
  readonly isWhole: boolean
  readonly shown: ShownPeople<ComparedPerson>
}

type Totals = Omit<Comparison, 'shown' | 'isWhole'> & ShownIds & { leads: number }

const never = sql<boolean>`false`

/** SQL: the places of the rows that a lead fails; none is named where rows mean nothing by themselves. */
function failedRows(rows: Compared['rows']): RawBuilder<unknown> {
  if (rows.length === 0) return sql`array[]::integer[]`
  const places = rows.map((row, place) => sql`case when not ${row} then ${place}::integer end`)
  return sql`array_remove(array[${sql.join(places)}], null)`
}

/** Compares over an owner's newest leads, at most `most`; `sample` people of each kind are shown, the newest first. */
export async function compareConditions(
  db: Reader,
  { teamId, ownerId }: LeadsOf,
  { present, tried, rows, most, sample }: Compared & { readonly most: number; readonly sample: number },
): Promise<Comparison> {
  const failed = failedRows(rows)
  const newestOf = (which: RawBuilder<unknown>) =>
    sql`(array_agg(id order by at desc, id desc) filter (where ${which}))[1:${sample}::integer]`
  const { rows: found } = await sql<Totals>`
    with newest as materialized (
      select l.* from lead l
      where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and ${judgeable}
      order by l.created_at desc, l.id desc limit ${most}),
    judged as (
      select l.id, l.person_urn, l.created_at as at, ${present ?? never} as fits_now, ${tried ?? never} as fits_tried,
        ${failed} as failed
      from newest l left join company c on c.urn = l.company_urn),
    people as materialized (
      select person_urn, max(at) as at,
        (array_agg(id order by fits_tried desc, cardinality(failed) = 1 desc, at desc, id desc))[1] as id,
        bool_or(fits_now) as fits_now, bool_or(fits_tried) as fits_tried,
        case when not bool_or(fits_tried)
          then (array_agg(failed[1] order by at desc, id desc) filter (where cardinality(failed) = 1))[1]
          end as missing
      from judged group by person_urn)
    select count(*)::integer as people, (count(*) filter (where fits_now))::integer as "fitNow",
      (count(*) filter (where fits_tried))::integer as "fitTried",
      (count(*) filter (where fits_tried and not fits_now))::integer as gained,
      (count(*) filter (where fits_now and not fits_tried))::integer as lost, count(missing)::integer as near,
      (select count(*) from newest)::integer as leads,
      coalesce((
        select jsonb_agg(jsonb_build_object('row', m.missing, 'count', m.count) order by m.count desc, m.missing)
        from (select missing, count(*)::integer as count from people where missing is not null group by missing) m
      ), '[]') as "nearBy",
      ${newestOf(sql`fits_tried and not fits_now`)} as "gainedIds",
      ${newestOf(sql`fits_now and not fits_tried`)} as "lostIds", ${newestOf(sql`missing is not null`)} as "nearIds"
    from people`.execute(db)
  const { leads, gainedIds, lostIds, nearIds, ...totals } = found[0]!
  const more = sql`, case when cardinality(${failed}) = 1 then (${failed})[1] end as missing`
  const shown = await readShown<ComparedPerson>(db, teamId, { gainedIds, lostIds, nearIds, more })
  return { ...totals, isWhole: leads < most, shown }
}
