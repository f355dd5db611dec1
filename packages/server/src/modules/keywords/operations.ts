/** Handlers of keyword searches: track, estimate, edit, untrack. */
import { contractVersions, type Answer, type Input, type OperationOf } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { listCredentials, readTeam, type Handlers } from '../accounts/index.ts'
import { lockAccount, readBalance } from '../credits/index.ts'
import { endDeliveries } from '../delivery/index.ts'
import type { BlockList } from '../network/index.ts'
import { findByIdentity, findSource, lockActiveSource, mustBeTracked, untrackByName } from '../sources/index.ts'
import { presentEstimate, presentFiltering, presentRow } from './present.ts'
import { flatten, requestedIn, targetsOf, type RequestedSearch } from './rules/settings.ts'
import { decideContract, deprecationsOf, type SpendContract } from './rules/spend.ts'
import type { Subject } from './rules/subject.ts'
import { countSeenPosts, findSearch } from './store.ts'
import { editSearch, planTrack, subjectOf, trackSearch, type StartedRun } from './tracking.ts'

const storedKeys = async (db: Reader, teamId: string): Promise<string[]> =>
  (await listCredentials(db, teamId)).map(({ kind }) => kind)

type TrackInput = Input<OperationOf<'trackKeyword'>>
type EditInput = Input<OperationOf<'editKeyword'>>

/** `cutoverAt`: the instant of the cut-over, null while it is not configured (G68). */
type SearchOperationDeps = { readonly cutoverAt: Date | null; readonly blockList: BlockList }

/** The settings a body names; refuses an end that is not in the future (KEY-39). */
function readNamed(body: TrackInput | Omit<EditInput, 'id'>, now: Date): RequestedSearch {
  if (body.endAt && body.endAt <= now)
    refuse('invalid_request', {}, `\`endAt\` must be in the future: ${body.endAt.toISOString()} has passed`)
  return requestedIn(body)
}

/** The contract of a request; refuses a pin to one that has ended. */
function contractFor(cutoverAt: Date | null, { contractVersion }: TrackInput, now: Date): SpendContract {
  const contract = decideContract(contractVersion, now, cutoverAt)
  if (contract !== 'pin_refused') return contract
  const { older, spend } = contractVersions
  return refuse(
    'invalid_contract_version',
    {},
    `\`contractVersion\` ${older} has ended: leave it out, or send ${spend}`,
  )
}

/** Retired fields in a body, whatever their value (KEY-41, KEY-42). */
const retiredFieldsIn = (body: object): { ignoredFields?: string[] } =>
  Object.hasOwn(body, 'postBudget') ? { ignoredFields: ['postBudget'] } : {}

/** An answer's warnings; absent without any (G147). */
const warned = ({ warnings }: Subject) =>
  warnings.length === 0 ? {} : { warnings: warnings.map((message) => ({ field: 'expression' as const, message })) }

async function presentSearch(tx: Tx, { teamId, id, started }: { teamId: string; id: string; started: StartedRun }) {
  const source = (await findSource(tx.db, teamId, { id }))!
  const search = (await findSearch(tx.db, teamId, id))!
  const { syncId, syncNotQueuedReason } = started
  return {
    id,
    sourceId: id,
    type: 'keyword' as const,
    username: source.username,
    status: source.status,
    ...presentRow(source, search),
    filtering: presentFiltering(search.ai, await storedKeys(tx.db, teamId)),
    seenPosts: await countSeenPosts(tx.db, teamId, id),
    syncId,
    ...(syncNotQueuedReason === null ? {} : { syncNotQueuedReason }),
  }
}

/** Refuses to look for posts of, or about, a person whom the team has had erased. */
async function refuseErased(tx: Tx, blockList: BlockList, teamId: string, named: RequestedSearch): Promise<void> {
  const [isErased] = await blockList.namesErased(tx.db, [{ teamId, value: targetsOf(named) }])
  if (isErased) refuse('invalid_request', {}, 'The team has had this person erased: nobody erased can be searched for')
}

export const searchOperations = ({ cutoverAt, blockList }: SearchOperationDeps) =>
  ({
    trackKeyword: async (input, { caller, now, unitOfWork }) => {
      const contract = contractFor(cutoverAt, input, now)
      const named = readNamed(input, now)
      return unitOfWork(async (tx): Promise<Answer<OperationOf<'trackKeyword'>>> => {
        const started = await trackSearch(tx, caller, { ...input, named, contract })
        // The account is locked by now, so a person who was erased meanwhile is found.
        await refuseErased(tx, blockList, caller.teamId, named)
        const deprecations = contract === 'older' ? deprecationsOf(input, input.confirmSpend) : []
        return {
          ...(await presentSearch(tx, { teamId: caller.teamId, id: started.sourceId, started })),
          resumed: !started.created,
          ...retiredFieldsIn(input),
          ...warned(subjectOf(input)),
          ...(deprecations.length > 0 ? { deprecations, cutoverAt } : {}),
        }
      })
    },
    estimateKeyword: async (input, { caller: { teamId }, now, unitOfWork }) => {
      contractFor(cutoverAt, input, now)
      const named = readNamed(input, now)
      const subject = subjectOf(input)
      return unitOfWork(async (tx): Promise<Answer<OperationOf<'estimateKeyword'>>> => {
        const existing = await findByIdentity(tx.db, teamId, sha256(subject.identity))
        const plan = await planTrack(tx.db, existing, { subject, named, now: tx.now })
        return {
          ...presentEstimate(plan, {
            balance: (await readBalance(tx.db, teamId, tx.now)).balance,
            dailyCeiling: (await readTeam(tx.db, teamId))!.keywordDailyCeiling,
            storedKeys: await storedKeys(tx.db, teamId),
          }),
          ...warned(subject),
          ...retiredFieldsIn(input),
        }
      })
    },
    editKeyword: async (input, { caller, now, unitOfWork }) => {
      const named = readNamed(input, now)
      return unitOfWork(async (tx): Promise<Answer<OperationOf<'editKeyword'>>> => {
        const { teamId } = caller
        const name = { id: input.id, type: 'keyword' } as const
        await mustBeTracked(tx.db, teamId, name)
        const { balance } = await lockAccount(tx, teamId)
        const source = (await lockActiveSource(tx, teamId, name)) ?? refuse('not_tracked')
        const edited = await editSearch(tx, caller, { source, named, confirmSpend: input.confirmSpend, balance })
        await refuseErased(tx, blockList, teamId, named)
        return {
          ...(await presentSearch(tx, { teamId, id: source.id, started: edited })),
          previous: flatten(edited.before),
          changed: [...edited.changed],
          ...retiredFieldsIn(input),
        }
      })
    },
    untrackKeyword: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { username } = await untrackByName(tx, caller, { name: { id: input.id, type: 'keyword' }, endDeliveries })
        return { ok: true, id: input.id!, username, profileType: 'keyword', untracked: true }
      }),
  }) satisfies Partial<Handlers>
