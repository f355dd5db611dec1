/** Reads CRM stages (RSL-06): all records hourly, a page per step while nothing waits; ignores those from before a capture. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import type { StageRead } from '../../../providers/destinations/port.ts'
import type { Destination, Session } from './store.ts'

const recordsInPage = 100
const betweenRoundsMs = 60 * 60_000

/** Records outcomes that a CRM reports; implemented by a module above this one. */
export type RecordStages = (
  tx: Tx,
  teamId: string,
  stages: readonly (Pick<StageRead, 'outcome' | 'at' | 'externalId' | 'amount' | 'currency'> & {
    readonly personUrn: string
  })[],
) => Promise<unknown>

type PersonAtDestination = {
  /** Position in the round: a hash, so that the stored cursor names no person. */
  readonly place: string
  readonly personUrn: string
  readonly remoteId: string
  readonly since: Date | null
}

/** A page that was read; `after` is the cursor of the next page, null after the last. */
export type StagePage = {
  readonly known: ReadonlyMap<string, PersonAtDestination>
  readonly stages: readonly StageRead[]
  readonly after: string | null
}

/** Reads the next page; null when none is due. */
export async function readStagePage(
  db: Reader,
  { destination: { teamId, id }, adapter, connection, parts }: Session,
): Promise<StagePage | null> {
  if (!adapter.readStages) return null
  const { rows: due } = await sql<{ after: string | null }>`
    select stages_after as after from destination
    where team_id = ${teamId} and id = ${id} and stages_at <= ${parts.now}`.execute(db)
  if (!due[0]) return null
  const { rows } = await sql<PersonAtDestination>`
    select md5(r.subject) as place, r.person_urn as "personUrn", r.remote_id as "remoteId",
      (select min(l.created_at) from lead l where l.team_id = r.team_id and l.person_urn = r.person_urn) as since
    from destination_record r where r.team_id = ${teamId} and r.destination_id = ${id} and md5(r.subject) > ${due[0].after ?? ''}
    order by place limit ${recordsInPage}`.execute(db)
  const known = new Map(rows.map((row) => [row.remoteId, row]))
  const stages = rows.length === 0 ? [] : await adapter.readStages(parts, connection, [...known.keys()])
  return { known, stages, after: rows.length < recordsInPage ? null : rows.at(-1)!.place }
}

/** Records the outcomes of a page and moves the cursor. */
export async function recordStagePage(
  tx: Tx,
  { teamId, id }: Destination,
  { page: { known, stages, after }, recordStages }: { page: StagePage; recordStages: RecordStages },
): Promise<void> {
  const told = stages.flatMap(({ remoteId, ...stage }) => {
    const person = known.get(remoteId)
    return person?.since && stage.at >= person.since ? [{ personUrn: person.personUrn, ...stage }] : []
  })
  if (told.length > 0) await recordStages(tx, teamId, told)
  const nextAt = after === null ? new Date(tx.now.getTime() + betweenRoundsMs) : tx.now
  await sql`
    update destination set stages_after = ${after}, stages_at = ${nextAt} where team_id = ${teamId}
      and id = ${id}`.execute(tx.db)
}
