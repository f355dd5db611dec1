/** Handlers of keyword searches: track, estimate, edit, untrack (specification «Keyword searches», «Versioning»). */
import { contractVersions, type Answer, type Input, type OperationOf } from '@les/contract'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { sha256 } from '../../platform/secrets.ts'
import { listCredentialKinds, readTeam, type Handlers } from '../accounts/index.ts'
import { confirmIn, lockAccount, readBalance } from '../credits/index.ts'
import { endDeliveries } from '../delivery/index.ts'
import {
  findByIdentity,
  findSource,
  lockActiveSource,
  mustBeTracked,
  saveSettings,
  untrackByName,
} from '../sources/index.ts'
import { presentState, refuseFaulty, saveState, startRun, subjectOf, trackSearch } from './actions.ts'
import { presentEstimate, presentFiltering } from './estimate.ts'
import { retiredFieldsIn, requestedSettingsIn } from './requested-settings.ts'
import { presentRow } from './present.ts'
import { flatten } from './rules/changes.ts'
import { decideContract, deprecationsOf, type Contract } from './rules/contract-version.ts'
import type { Subject } from './rules/subject.ts'
import { decideEdit, decideTrack } from './rules/track.ts'
import { countSeenPosts, findSearch } from './store.ts'

type SearchInput = Input<OperationOf<'trackKeyword'>>

/** The operations of this file. */
export type SearchOperationId = 'trackKeyword' | 'estimateKeyword' | 'editKeyword' | 'untrackKeyword'

/** What the handlers need: the instant of the cut-over, null while it is not configured (G68). */
export type SearchOperationDeps = { readonly cutoverAt: Date | null }

/** A search as answers carry it, read as the unit has left it. */
async function readSearch(
  tx: Tx,
  { teamId, id, syncId }: { readonly teamId: string; readonly id: string; readonly syncId: string | null },
) {
  const source = (await findSource(tx.db, teamId, { id }))!
  const search = (await findSearch(tx.db, teamId, id))!
  return {
    id,
    sourceId: id,
    type: 'keyword' as const,
    username: source.username,
    status: source.status,
    ...presentRow(source, search),
    filtering: presentFiltering(search.ai, await listCredentialKinds(tx.db, teamId)),
    seenPosts: await countSeenPosts(tx.db, teamId, id),
    syncId,
  }
}

/** What the answer warns of; absent when of nothing (G147). */
const warned = ({ warnings }: Subject) =>
  warnings.length === 0 ? {} : { warnings: warnings.map((message) => ({ field: 'expression' as const, message })) }

type Handle<Id extends SearchOperationId> = Handlers<SearchOperationId>[Id]

/** The contract of a request; refuses a pin to one that has ended. */
const contractFor = (cutoverAt: Date | null, input: SearchInput, now: Date): Exclude<Contract, 'pin_refused'> => {
  const contract = decideContract(input.contractVersion, now, cutoverAt)
  return contract === 'pin_refused'
    ? refuse(
        'invalid_contract_version',
        {},
        `\`contractVersion\` ${contractVersions.older} has ended: leave it out, or send ${contractVersions.spend}`,
      )
    : contract
}

const trackKeyword =
  (cutoverAt: Date | null): Handle<'trackKeyword'> =>
  async (input, { caller, now, unitOfWork }) => {
    const contract = contractFor(cutoverAt, input, now)
    const named = requestedSettingsIn(input, now)
    return unitOfWork(async (tx): Promise<Answer<OperationOf<'trackKeyword'>>> => {
      const tracked = await trackSearch(tx, caller, { ...input, named, contract })
      const deprecations = contract === 'older' ? deprecationsOf(input, input.confirmSpend) : []
      return {
        ...(await readSearch(tx, { teamId: caller.teamId, id: tracked.sourceId, syncId: tracked.syncId })),
        resumed: !tracked.created,
        ...(tracked.syncNotQueuedReason === null ? {} : { syncNotQueuedReason: tracked.syncNotQueuedReason }),
        ...retiredFieldsIn(input),
        ...warned(subjectOf(input)),
        ...(deprecations.length > 0 ? { deprecations, cutoverAt: cutoverAt?.toISOString() ?? null } : {}),
      }
    })
  }

const estimateKeyword =
  (cutoverAt: Date | null): Handle<'estimateKeyword'> =>
  async (input, { caller, now, unitOfWork }) => {
    contractFor(cutoverAt, input, now)
    const named = requestedSettingsIn(input, now)
    const subject = subjectOf(input)
    return unitOfWork(async (tx): Promise<Answer<OperationOf<'estimateKeyword'>>> => {
      const { balance } = await readBalance(tx.db, caller.teamId, tx.now)
      const existing = await findByIdentity(tx.db, caller.teamId, sha256(subject.identity))
      const present = existing
        ? { type: existing.type, active: existing.status === 'active', state: await presentState(tx.db, existing) }
        : null
      const decision = decideTrack(present, {
        subject,
        named,
        contract: null,
        confirmSpend: undefined,
        confirmChanges: undefined,
        balance,
        now: tx.now,
      })
      if (decision.kind === 'invalid' || decision.kind === 'no_capture_target') return refuseFaulty(decision)
      if (decision.kind !== 'track') throw new Error(`an estimate was asked for a confirmation: ${decision.kind}`)
      const team = await readTeam(tx.db, caller.teamId)
      return {
        ...presentEstimate(decision, {
          balance,
          dailyCeiling: team!.keywordDailyCeiling,
          storedKeys: await listCredentialKinds(tx.db, caller.teamId),
        }),
        ...warned(subject),
        ...retiredFieldsIn(input),
      }
    })
  }

const editKeyword: Handle<'editKeyword'> = async (input, { caller, now, unitOfWork }) => {
  const named = requestedSettingsIn(input, now)
  return unitOfWork(async (tx): Promise<Answer<OperationOf<'editKeyword'>>> => {
    const name = { id: input.id, type: 'keyword' } as const
    await mustBeTracked(tx.db, caller.teamId, name)
    const { balance } = await lockAccount(tx, caller.teamId)
    const source = (await lockActiveSource(tx, caller.teamId, name)) ?? refuse('not_tracked')
    const before = (await presentState(tx.db, source))!
    const decision = decideEdit(before, { named, confirmSpend: input.confirmSpend, balance, now: tx.now })
    if (decision.kind === 'spend')
      return refuse('spend_confirmation_required', decision.figures, confirmIn(decision.figures.mode))
    if (decision.kind !== 'edit') return refuseFaulty(decision)
    await saveSettings(tx, source, decision.state.source)
    await saveState(tx, source, decision.state)
    const after = { ...source, settings: decision.state.source, schedule: decision.state.schedule }
    const started = decision.restarted
      ? await startRun(tx, { caller, source: after, standing: { owed: true, balance } })
      : { syncId: source.openSyncId, syncNotQueuedReason: null }
    return {
      ...(await readSearch(tx, { teamId: caller.teamId, id: source.id, syncId: started.syncId })),
      previous: flatten(before),
      changed: decision.changed,
      ...(started.syncNotQueuedReason === null ? {} : { syncNotQueuedReason: started.syncNotQueuedReason }),
      ...retiredFieldsIn(input),
    }
  })
}

const untrackKeyword: Handle<'untrackKeyword'> = (input, { caller, unitOfWork }) =>
  unitOfWork(async (tx) => {
    const { username } = await untrackByName(tx, caller, { name: { id: input.id, type: 'keyword' }, endDeliveries })
    return { ok: true, id: input.id!, username, profileType: 'keyword', untracked: true }
  })

/** Makes the handlers. */
export const searchOperations = ({ cutoverAt }: SearchOperationDeps): Handlers<SearchOperationId> => ({
  trackKeyword: trackKeyword(cutoverAt),
  estimateKeyword: estimateKeyword(cutoverAt),
  editKeyword,
  untrackKeyword,
})
