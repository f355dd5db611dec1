/** Handlers of `GET`, `PUT …/icp` (G56; ICP-01..ICP-10), and of the comparison of new criteria with a source's stored ones. */
import { bounds, type Answer, type FilterRow, type MatchMode, type OperationOf } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { Handlers, ReadContext, SessionHandlers, Settled, WriteContext } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { compileForLeads } from './filter-sql.ts'
import { compareConditions, countLeadsOf, leadsById, tryCondition, type LeadsOf } from '../leads/index.ts'
import {
  findCriteria,
  listRescoring,
  rescoreInRequest,
  saveCriteria,
  type Criteria,
  type RescoreDeps,
} from './criteria.ts'

type OwnerName =
  | { readonly type: 'person' | 'company'; readonly username: string }
  | { readonly id: string | null; readonly type?: 'keyword' }
type Owner = Pick<UpdatedIcp, 'type' | 'username'> & { readonly id: string }
/** Finds owners: tracked sources, and keyword searches even when deleted. The composition plugs in the sources module. */
type Owners = {
  readonly find: (db: Reader, teamId: string, name: OwnerName) => Promise<Owner | undefined>
  readonly lock: (tx: Tx, teamId: string, name: OwnerName) => Promise<Owner | undefined>
}

type IcpOperationDeps = RescoreDeps & { readonly owners: Owners }

type Change = {
  readonly rules?: FilterRow[] | undefined
  readonly matchMode?: MatchMode | undefined
  readonly dryRun?: boolean | undefined
}
type UpdatedIcp = Answer<OperationOf<'updateSourceIcp'>>

const present = (owner: Owner, { rules, matchMode }: Criteria) => ({
  sourceId: owner.id,
  type: owner.type,
  username: owner.username,
  rules,
  matchMode,
})
const over = (stored: Criteria, { rules, matchMode }: Change): Criteria => ({
  rules: rules ?? stored.rules,
  matchMode: matchMode ?? stored.matchMode,
})

/** Dry run. Without rules no lead is judged: `unjudged` counts them all, since `icpOnly` then restricts nothing (G43). */
async function tryCriteria(
  db: Reader,
  { leads, owner, criteria }: { leads: LeadsOf; owner: Owner; criteria: Criteria },
): Promise<UpdatedIcp> {
  const condition = compileForLeads(criteria.rules, criteria.matchMode)
  const { matching, notMatching, sampleIds } =
    condition === null
      ? { matching: 0, notMatching: 0, sampleIds: [] }
      : await tryCondition(db, leads, { condition, sample: bounds.icpSample })
  const rows = new Map((await leadsById(db, leads.teamId, sampleIds)).map((row) => [row.id, row]))
  const sample = sampleIds.flatMap((id) => rows.get(id) ?? [])
  const { rules, matchMode, ...source } = present(owner, criteria)
  return {
    ...source,
    dryRun: true,
    counts: { matching, notMatching, ...(condition === null ? { unjudged: await countLeadsOf(db, leads) } : {}) },
    sample,
    icp: { rules, matchMode },
  }
}

export function icpOperations(deps: IcpOperationDeps) {
  const read = async (name: OwnerName, { caller: { teamId }, db }: ReadContext) => {
    const owner = (await deps.owners.find(db, teamId, name)) ?? refuse('not_tracked')
    const rescoring = (await listRescoring(db, teamId, [owner.id])).get(owner.id)
    const criteria = await findCriteria(db, { teamId, ownerId: owner.id })
    return { ...present(owner, criteria), ...(rescoring ? { rescoring } : {}) }
  }
  const save = (teamId: string, name: OwnerName, change: Change) =>
    deps.unitOfWork(async (tx) => {
      // Locking the source waits for every unit that is enriching its leads; units that start later see the new criteria.
      const owner = (await deps.owners.lock(tx, teamId, name)) ?? refuse('not_tracked')
      const of = { teamId, ownerId: owner.id }
      const criteria = over(await findCriteria(tx.db, of), change)
      await saveCriteria(tx, { teamId, ownerIds: [owner.id], criteria })
      await deps.faultPoint('rescore.saved')
      return { owner, criteria, leads: await countLeadsOf(tx.db, of) }
    })
  /** Saves a change, or answers what it would do. The first leads are judged before the answer. */
  const write = async (
    name: OwnerName,
    change: Change,
    { caller: { teamId }, unitOfWork }: WriteContext<UpdatedIcp>,
  ): Promise<Settled<UpdatedIcp>> => {
    if (change.dryRun === true)
      return unitOfWork(async (tx) => {
        const owner = (await deps.owners.find(tx.db, teamId, name)) ?? refuse('not_tracked')
        const of = { teamId, ownerId: owner.id }
        return tryCriteria(tx.db, { leads: of, owner, criteria: over(await findCriteria(tx.db, of), change) })
      })
    const { owner, criteria, leads } = await save(teamId, name, change)
    const { judged, done } = await rescoreInRequest(deps, { teamId, ownerId: owner.id })
    return unitOfWork(async () => ({
      ...present(owner, criteria),
      rescored: judged,
      ...(done ? {} : { rescoring: { judged, leads } }),
    }))
  }
  return {
    getProfileIcp: (input, context) => read({ type: 'person', username: input.username }, context),
    updateProfileIcp: (input, context) => write({ type: 'person', username: input.username }, input, context),
    getCompanyIcp: (input, context) => read({ type: 'company', username: input.username }, context),
    updateCompanyIcp: (input, context) => write({ type: 'company', username: input.username }, input, context),
    getKeywordIcp: (input, context) => read({ id: input.id, type: 'keyword' }, context),
    updateKeywordIcp: (input, context) => write({ id: input.id, type: 'keyword' }, input, context),
    getSourceIcp: (input, context) => read({ id: input.id }, context),
    updateSourceIcp: (input, context) => write({ id: input.id }, input, context),
  } satisfies Partial<Handlers>
}

/** Leads read per comparison, newest first; this many take some tenths of a second. */
const maxComparedLeads = 50_000
const maxShown = 25

/** The credits one fitting person costs, each person of a source costing one; null while nobody fits. */
const creditsPerFit = (people: number, fitting: number): number | null =>
  fitting === 0 ? null : Math.round((people / fitting) * 10) / 10

/** Makes the handler that compares new criteria with a source's stored ones, person by person. */
export function comparisonOperations({ owners }: { owners: Owners }): SessionHandlers<'compareCriteria'> {
  return {
    compareCriteria: async ({ id, rules, matchMode }, { caller, db, unitOfWork }) => {
      const { teamId } = caller
      const owner = (await owners.find(db, teamId, { id })) ?? refuse('not_tracked')
      const of = { teamId, ownerId: owner.id }
      const present = await findCriteria(db, of)
      const compared = await compareConditions(db, of, {
        present: compileForLeads(present.rules, present.matchMode),
        tried: compileForLeads(rules, matchMode),
        // Missing the criteria by one row means something where all of several rows must match.
        rows: matchMode === 'all' && rules.length > 1 ? rules.map((row) => compileForLeads([row], 'all')!) : [],
        most: maxComparedLeads,
        sample: maxShown,
      })
      return unitOfWork(async () => ({
        ...compared,
        hasCriteria: present.rules.length > 0,
        creditsPerFit: {
          now: creditsPerFit(compared.people, compared.fitNow),
          tried: creditsPerFit(compared.people, compared.fitTried),
        },
      }))
    },
  }
}
