/**
 * Exports: a file is written part by part, each in its own unit of work: memory stays bounded, and a crash loses one part.
 *
 *   running --a part--> running --the last part--> done --after a day--> deleted
 *       `-- fails unexpectedly five times --> failed --after a day--> deleted
 */
import { gzipSync } from 'node:zlib'
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import { countAffected, queryAll, queryOne, queryValue } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import type { Recorded, Work } from '../../../platform/task-context.ts'
import {
  claimOne,
  defineRows,
  defineWork,
  leaseOf,
  lockLeased,
  noteTaskContext,
  endLease,
  reschedule,
  type WorkDeps,
} from '../../../platform/work/index.ts'
import { compileForPeople } from '../../fit/index.ts'
import { csvLine, isExcluded, leadsById, type LeadResource } from '../../leads/index.ts'
import { leadsWithFacts } from '../destinations/queue.ts'
import { columnsOf, type Preset } from './columns.ts'

const partRows = 2_000
const keptMs = 24 * 60 * 60_000
/** Without a BOM, spreadsheets read the file in a local encoding. */
const byteOrderMark = '\uFEFF'

const exportRows = defineRows({
  kind: 'export',
  rowKind: 'export',
  table: 'lead_export',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.state = 'running'`,
  fence: 'counted',
})

export type LeadExport = {
  readonly id: string
  readonly format: 'csv' | 'jsonl'
  readonly preset: Preset | null
  readonly filters: readonly FilterRow<string>[]
  readonly state: 'running' | 'done' | 'failed'
  readonly rowCount: number
  readonly parts: number
  readonly cursorAt: Date | null
  readonly cursorId: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** Reads an export; undefined when there is none, or when it was deleted. */
export async function findExport(db: Reader, teamId: string, id: string | null): Promise<LeadExport | undefined> {
  if (id === null) return undefined
  return queryOne<LeadExport>(db)`
    select id, format, preset, filters, state, row_count as "rowCount", parts, cursor_at as "cursorAt", cursor_id as "cursorId",
      created_at as "createdAt", expires_at as "expiresAt"
    from lead_export where team_id = ${teamId} and id = ${id}`
}

/** Starts an export; returns its id. */
export async function insertExport(
  tx: Tx,
  teamId: string,
  asked: Pick<LeadExport, 'format' | 'preset' | 'filters'>,
): Promise<string> {
  const id = tx.newId()
  await sql`
    insert into lead_export (team_id, id, format, preset, filters, state, created_at, due_at)
    values (${teamId}, ${id}, ${asked.format}, ${asked.preset}, ${JSON.stringify(asked.filters)}::jsonb, 'running', ${tx.now},
      ${tx.now})`.execute(tx.db)
  tx.enqueue('export', teamId)
  return id
}

/** Newest first: all that match; for a preset one per person, without excluded people and leads still in enrichment. */
async function nextLeads(db: Reader, teamId: string, one: LeadExport): Promise<{ id: string; at: Date }[]> {
  const { preset, filters, createdAt, cursorAt, cursorId } = one
  const passes = sql`l.team_id = ${teamId} and l.enrichment <> 'raw' and l.created_at <= ${createdAt}
    and ${compileForPeople(filters) ?? sql`true`}
    and ${preset === null ? sql`true` : sql`l.enrichment not in ('pending', 'processing') and not ${isExcluded(teamId)}`}`
  // The inner `l` is another lead of the same person, under the same condition.
  const isNewest = sql`not exists (
    select from ${leadsWithFacts}
    where l.person_urn = this.person_urn and (l.created_at, l.id) > (this.created_at, this.id) and ${passes})`
  return queryAll<{ id: string; at: Date }>(db)`
    select l.id, l.created_at as at from ${leadsWithFacts}
    cross join lateral (select l.person_urn, l.created_at, l.id) this
    where ${passes} and ${preset === null ? sql`true` : isNewest}
      and ${cursorAt === null ? sql`true` : sql`(l.created_at, l.id) < (${cursorAt}::timestamptz, ${cursorId}::uuid)`}
    order by l.created_at desc, l.id desc limit ${partRows}`
}

function textOf({ format, preset, parts }: LeadExport, leads: readonly LeadResource[]): string {
  const columns = columnsOf(preset)
  if (format === 'jsonl')
    return leads
      .map((one) =>
        JSON.stringify(preset === null ? one : Object.fromEntries(columns.map(([head, value]) => [head, value(one)]))),
      )
      .map((line) => `${line}\n`)
      .join('')
  const head = parts === 0 ? byteOrderMark + csvLine(columns.map(([name]) => name)) : ''
  return head + leads.map((one) => csvLine(columns.map(([, value]) => value(one)))).join('')
}

async function writePart(tx: Tx, { teamId, id }: { teamId: string; id: string }, one: LeadExport): Promise<void> {
  const next = await nextLeads(tx.db, teamId, one)
  const ids = next.map((row) => row.id)
  const rows = await leadsById(tx.db, teamId, ids)
  const isLast = next.length < partRows
  const text = textOf(one, rows)
  // An empty export has one empty part too: nothing would not be a valid gzip file.
  const isPart = text !== '' || one.parts === 0
  if (isPart)
    await sql`
      insert into lead_export_part (team_id, export_id, number, data)
      values (${teamId}, ${id}, ${one.parts}, ${gzipSync(text)})`.execute(tx.db)
  const last = next.at(-1)
  await endLease(
    tx,
    exportRows,
    { teamId, id },
    sql`, unexpected_failures = 0, row_count = row_count + ${rows.length}::integer, parts = parts + ${isPart ? 1 : 0}::integer,
      cursor_at = ${last?.at ?? one.cursorAt}::timestamptz, cursor_id = ${last?.id ?? one.cursorId}::uuid,
      state = ${isLast ? 'done' : 'running'}, expires_at = ${isLast ? new Date(tx.now.getTime() + keptMs) : null}::timestamptz`,
  )
}

function exportStep(deps: Omit<WorkDeps, 'db'>): () => Promise<'worked' | 'idle'> {
  return () =>
    deps.unitOfWork(async (tx) => {
      const row = await claimOne<{ team_id: string; id: string; fence: number; unexpected_failures: number }>(
        tx,
        exportRows,
        leaseOf(deps.processId, deps.system.nowMs()),
      )
      if (!row) return 'idle'
      addLogContext({ teamId: row.team_id, exportId: row.id })
      noteTaskContext(tx, exportRows, row)
      const one = await findExport(tx.db, row.team_id, row.id)
      await writePart(tx, { teamId: row.team_id, id: row.id }, one!)
      await deps.faultPoint('export.written')
      return 'worked'
    })
}

async function recordUnexpected(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  if (!(await lockLeased(tx, exportRows, work))) return 'lost'
  if (dueAt) {
    await reschedule(tx, exportRows, work, dueAt)
    return 'put_off'
  }
  await endLease(tx, exportRows, work, sql`, state = 'failed', expires_at = ${new Date(tx.now.getTime() + keptMs)}`)
  return 'ended'
}

export const exportWork = defineWork({
  kind: 'export',
  rows: [exportRows],
  step: exportStep,
  unexpected: { export: recordUnexpected },
})

/** Deletes expired exports with their parts. Returns how many. */
export const purgeExports = (tx: Tx, limit: number) =>
  countAffected(tx.db)`
    delete from lead_export where (team_id, id) in (
      select team_id, id from lead_export where expires_at <= ${tx.now} order by expires_at limit ${limit})`

/** Deletes every export of a team, since any may contain an erased person. Returns how many. */
export const deleteExports = (tx: Tx, teamId: string) =>
  countAffected(tx.db)`
    delete from lead_export where team_id = ${teamId}`

/** One gzip part of a file; undefined after the last. */
export const readPart = (
  db: Reader,
  { teamId, id, number }: { readonly teamId: string; readonly id: string; readonly number: number },
) =>
  queryValue<Buffer>(db)`
    select data from lead_export_part where team_id = ${teamId} and export_id = ${id} and number = ${number}`
