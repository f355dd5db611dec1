/** Erases a person in every team, for the operator of the service. */
import { isMemberId } from '@les/contract'
import { sql } from 'kysely'
import { isOfTeamHere, type Shards } from '../../platform/db/shards.ts'
import { queryAll, queryColumn, queryExists } from '../../platform/db/query.ts'
import type { Reader, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'
import type { Network } from '../../providers/ports.ts'
import { handleOnNetwork, memberIdOnNetwork, type Named } from '../network/index.ts'
import { erasePerson, type ErasingDeps } from './erase.ts'

type OperatorErasingDeps = ErasingDeps & {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly network: Network
  readonly shards: Shards
  readonly flushCalls: () => Promise<unknown>
}

/** The id of a receipt and its team. */
export type TeamErasure = { readonly teamId: string; readonly id: string }

const maxListed = 1_000

/** Names the person meant, asking the network once for all teams; throws `ProviderFailure` when it does not answer. */
async function nameForAll(network: Network, name: string): Promise<Named> {
  if (isMemberId(name)) return { urn: name, handle: await handleOnNetwork(network, name) }
  return { handle: name, urn: await memberIdOnNetwork(network, name) }
}

/**
 * Erases a person in every team, one unit of work each: after an interruption the same request does the remaining teams. If a
 * team fails (its shard may be down), the others are still done, and the first failure is thrown at the end. Returns the receipts
 * of teams that held anything of the person; the others block them too.
 */
export async function eraseEverywhere(
  deps: OperatorErasingDeps,
  { name, reason }: { readonly name: string; readonly reason: string | null },
): Promise<TeamErasure[]> {
  const named = await nameForAll(deps.network, name)
  await deps.flushCalls()
  const teamIds = await queryColumn<string>(deps.db)`
    select id from team where id <> ${sampleTeamId}::uuid order by id`
  const held: TeamErasure[] = []
  const failures: unknown[] = []
  for (const teamId of teamIds) {
    try {
      const erasure = await deps.shards.ofTeam(teamId, () =>
        deps.unitOfWork(async (tx) =>
          (await isEnding(tx.db, teamId)) ? null : (await erasePerson(tx, deps, { teamId, named, reason })).erasure,
        ),
      )
      if (erasure && Object.values(erasure.counts).some((count) => count > 0)) held.push({ teamId, id: erasure.id })
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return held
}

/** Whether a team is being deleted or is gone, so that there is nothing to erase. */
const isEnding = async (db: Reader, teamId: string): Promise<boolean> =>
  !(await queryExists(db)`select 1 from team where id = ${teamId} and not ending`)

/** The newest receipts of erasures that removed anything, at most 1,000. */
export async function listErasuresOfAll(db: Reader, shards: Shards): Promise<TeamErasure[]> {
  const ofShards = await shards.each(() => listErasures(db))
  // An id begins with its time.
  return ofShards
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, maxListed)
}

const listErasures = (db: Reader) =>
  queryAll<TeamErasure>(db)`
    select team_id as "teamId", id from erasure e
    where exists (select 1 from jsonb_each_text(e.counts) c where c.value <> '0')
      and ${isOfTeamHere(sql`e.team_id`)}
    order by erased_at desc, id desc limit ${maxListed}`
