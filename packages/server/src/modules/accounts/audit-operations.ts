/** The handler that shows the audit log, newest first. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from './handler.ts'
import { pageOf, readCursor, type Position } from '../../platform/keyset.ts'

type Row = {
  id: string
  at: Date
  actorKind: 'user' | 'key' | 'operator'
  actorName: string
  keyName: string | null
  masked: string | null
  operation: string
  target: string | null
  details: Record<string, unknown>
}

async function listEntries(
  db: Reader,
  { teamId, after, limit }: { readonly teamId: string; readonly after: Position | null; readonly limit: number },
): Promise<Row[]> {
  const from = after === null ? sql`true` : sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<Row>`
    with page as materialized (select * from audit_entry e where e.team_id = ${teamId} and ${from}
      order by e.at desc, e.id desc limit ${limit})
    select p.id, p.at, p.actor_kind as "actorKind", p.actor_name as "actorName", k.name as "keyName", k.masked,
      p.operation, p.target, p.details
    from page p left join api_key k on p.actor_kind = 'key' and k.team_id = p.team_id and k.id::text = p.actor_id
    order by p.at desc, p.id desc`.execute(db)
  return rows
}

/** A key is shown by the name its owner gave it and its mask, somebody signed in by their address. */
function actorName({ actorKind, actorName, keyName, masked }: Row): string {
  if (actorKind === 'user') return actorName
  if (actorKind === 'operator') return 'Operator'
  return keyName === null ? 'An API key' : `${keyName} (${masked})`
}

/** The handler. */
export const auditOperations: SessionHandlers<'listAudit'> = {
  listAudit: async (input, { caller, db }) => {
    const { rows, nextCursor } = pageOf(
      await listEntries(db, { teamId: caller.teamId, after: readCursor(input.cursor), limit: input.limit + 1 }),
      input.limit,
      (row) => row,
    )
    return {
      entries: rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        actor: { kind: row.actorKind, name: actorName(row) },
        operation: row.operation,
        target: row.target,
        details: row.details,
      })),
      nextCursor,
    }
  },
}
