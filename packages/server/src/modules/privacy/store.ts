/** SQL of erasures. */
import { sql } from 'kysely'
import { queryOne, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** An erasure as stored; it names nobody. */
export type Erasure = {
  readonly id: string
  readonly personId: string
  readonly subjectHash: Buffer
  readonly reason: string | null
  readonly counts: Readonly<Record<string, number>>
  /** Receivers of the person that cannot be told: `outreach`, or the kind of a destination. */
  readonly notTold: readonly string[]
  readonly erasedAt: Date
}

const columns = sql`id, person_id as "personId", subject_hash as "subjectHash", reason, counts,
  not_told as "notTold", erased_at as "erasedAt"`

/** Inserts an erasure. */
export async function insertErasure(tx: Tx, teamId: string, erasure: Erasure): Promise<void> {
  await sql`
    insert into erasure (team_id, id, person_id, subject_hash, reason, counts, not_told, erased_at)
    values (${teamId}, ${erasure.id}, ${erasure.personId}, ${erasure.subjectHash}, ${erasure.reason},
        ${JSON.stringify(erasure.counts)}::jsonb, ${[...erasure.notTold]}::text[], ${erasure.erasedAt})`.execute(tx.db)
}

/** Adds further receivers that cannot be told. */
export async function addNotTold(
  tx: Tx,
  teamId: string,
  { id, notTold }: Pick<Erasure, 'id' | 'notTold'>,
): Promise<void> {
  await sql`
    update erasure set not_told = array(select distinct kind from unnest(not_told || ${[...notTold]}::text[]) kind order by kind)
    where team_id = ${teamId} and id = ${id}::uuid and not (not_told @> ${[...notTold]}::text[])`.execute(tx.db)
}

/** An erasure by id. */
export const findErasure = (db: Reader, teamId: string, id: string) =>
  queryOne<Erasure>(db)`
    select ${columns} from erasure where team_id = ${teamId} and id = ${id}::uuid`

/** A person's erasure, by the directory id they had. */
export const findErasureOfPerson = (db: Reader, teamId: string, personId: string) =>
  queryOne<Erasure>(db)`
    select ${columns} from erasure where team_id = ${teamId} and person_id = ${personId}::uuid
    order by erased_at, id limit 1`

/** A page of a team's erasures, newest first, and the total. */
export async function listErasures(
  db: Reader,
  teamId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly Erasure[]; readonly total: number }> {
  const { rows } = await sql<Erasure>`
    select ${columns} from erasure where team_id = ${teamId}
    order by erased_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  const total = (await queryValue<number>(db)`
    select count(*)::integer as total from erasure where team_id = ${teamId}`)!
  return { rows, total }
}
