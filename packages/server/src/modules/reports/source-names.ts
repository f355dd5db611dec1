/** The names of a team's sources, for pages whose rows name sources by handle. */
import type { Answer, SessionOperationOf } from '@les/contract'
import type { SessionHandlers } from '../accounts/index.ts'
import { queryAll } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { labelJoins, nameOfSource } from '../leads/index.ts'

type Named = Answer<SessionOperationOf<'listSourceNames'>>['sources'][number]

/** At most this many names; rows of other sources show the handle. */
const maxNamed = 2_000

const listNames = (db: Reader, teamId: string) =>
  queryAll<Named>(db)`
    with page as materialized (select * from source s where s.team_id = ${teamId}
      order by s.status, s.created_at desc, s.id desc limit ${maxNamed})
    select s.id, s.type, s.username, s.status, ${nameOfSource} as label from page s ${labelJoins}
    order by s.status, s.created_at desc, s.id desc`

export const sourceNameOperations: SessionHandlers<'listSourceNames'> = {
  listSourceNames: async (_input, { caller: { teamId }, db }) => ({ sources: await listNames(db, teamId) }),
}
