/** Handlers of saved views: named filters of a list, shared by the team. The only writer of `saved_view`. */
import { sql } from 'kysely'
import type { Answer, SessionOperationOf } from '@les/contract'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from './handler.ts'
import { refuse } from '../../platform/refusal.ts'
import { lockTeam } from './team.ts'

type View = Answer<SessionOperationOf<'listViews'>>['views'][number]
type Row = Pick<View, 'id' | 'page' | 'name' | 'query'> & { readonly createdBy: string; readonly updatedAt: Date }

const maxViews = 200

const columns = sql`id, page, name, query, created_by as "createdBy", updated_at as "updatedAt"`

const listOf = (db: Reader, teamId: string) =>
  queryAll<Row>(db)`select ${columns} from saved_view where team_id = ${teamId}
      order by page, lower(name), id limit ${maxViews}`

/** The team lock makes the limit exact. */
async function writeView(
  tx: Tx,
  teamId: string,
  view: Pick<View, 'page' | 'name' | 'query' | 'createdBy'>,
): Promise<Row> {
  await lockTeam(tx, teamId)
  const { others, known } = (await queryOne<{ others: number; known: boolean }>(tx.db)`
    select count(*)::integer as others, coalesce(bool_or(page = ${view.page} and name = ${view.name}), false) as known
    from saved_view where team_id = ${teamId}`)!
  if (!known && others >= maxViews) refuse('view_limit_reached')
  return (await queryOne<Row>(tx.db)`
    insert into saved_view as v (team_id, id, page, name, query, created_by, created_at, updated_at)
    values (${teamId}, ${tx.newId()}, ${view.page}, ${view.name}, ${JSON.stringify(view.query)}::jsonb,
        ${view.createdBy}, ${tx.now}, ${tx.now})
    on conflict (team_id, page, name) do update set query = excluded.query, updated_at = excluded.updated_at
    returning ${columns}`)!
}

export const viewOperations: SessionHandlers<'listViews' | 'saveView' | 'deleteView'> = {
  listViews: async (_input, { caller, db }) => ({ views: await listOf(db, caller.teamId) }),
  saveView: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => ({
      view: await writeView(tx, caller.teamId, { ...input, createdBy: caller.user.name }),
    })),
  deleteView: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      const { numAffectedRows } = await sql`
        delete from saved_view
        where team_id = ${caller.teamId} and id = ${input.id ?? refuse('not_found')}`.execute(tx.db)
      if (numAffectedRows === 0n) return refuse('not_found', {}, 'No such view')
      return { ok: true as const }
    }),
}
