/** Handlers of sources: sync status, sync now, edits, tracked posts, untracking (G10, G87, G88, G128). */
import {
  alwaysBefore,
  echoedByEdit,
  pickSettings,
  settingsOf,
  type Answer,
  type Input,
  type OperationOf,
  type SourceSetting,
  type SourceSettings,
} from '@les/contract'
import type { Caller, Handlers, ReadContext, Settled, WriteContext } from '../accounts/index.ts'
import { mayBeTriedAgain, type Tx } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { retryAfterHeaders, ProviderFailure, failureMessage, type Network, type Post } from '../../providers/ports.ts'
import { confirmIn, lockAccount, readBalance } from '../credits/index.ts'
import { handleInAddress, rememberPosts, type BlockList } from '../network/index.ts'
import { openRun, trackSource, untrackByName, type EndDeliveries, type Untracked } from './actions.ts'
import { findSource, findTrackedUrn, lockActiveSource, mustBeTracked } from './find.ts'
import { presentStatus } from './present.ts'
import { decideEdit } from './rules/settings.ts'
import { findStatusRuns } from './runs/rows.ts'
import type { Source, SourceName } from './source.ts'
import { savePostNames, saveSettings } from './store.ts'

/** Most reads of one status; each further read means that a run ended during the one before. */
const maxReads = 3

async function readStatus(name: SourceName, { caller, db }: ReadContext) {
  for (let reads = 1; ; reads++) {
    const source = (await findSource(db, caller.teamId, name)) ?? refuse('not_tracked')
    const runs = await findStatusRuns(db, source)
    // The run ended after its source was read: the counts are older than the ending, and must not be shown as final.
    const isTorn = source.openSyncId !== null && runs.current !== null && runs.current.finishedAt !== null
    if (!isTorn || reads === maxReads) return presentStatus(source, runs)
  }
}

const untrackHandler =
  (type: 'person' | 'company', endDeliveries: EndDeliveries) =>
  (input: { username: string }, { caller, unitOfWork }: WriteContext<Untracked>): Promise<Settled<Untracked>> =>
    unitOfWork((tx) => untrackByName(tx, caller, { name: { type, username: input.username }, endDeliveries }))

/** The handlers of sync status, sync now and untracking. */
export const sourceOperations = ({ endDeliveries }: { endDeliveries: EndDeliveries }) =>
  ({
    getProfileSync: (input, context) => readStatus({ type: 'person', username: input.username }, context),
    getCompanySync: (input, context) => readStatus({ type: 'company', username: input.username }, context),
    getKeywordSync: (input, context) => readStatus({ id: input.id, type: 'keyword' }, context),
    getSourceSync: (input, context) => readStatus({ id: input.id }, context),
    startSourceSync: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        await mustBeTracked(tx.db, caller.teamId, { id: input.id })
        const { balance } = await lockAccount(tx, caller.teamId)
        const source = (await lockActiveSource(tx, caller.teamId, { id: input.id })) ?? refuse('not_tracked')
        if (source.type === 'keyword') refuse('keyword_not_syncable')
        if (!caller.captureAllowed) refuse('capture_not_allowed')
        if (source.openSyncId)
          return {
            sourceId: source.id,
            syncId: source.openSyncId,
            jobId: source.openSyncId,
            queued: false,
            nextSyncAt: source.nextSyncAt ?? tx.now,
          }
        if (balance <= 0)
          refuse(
            'insufficient_enriching_credits',
            { remainingBalance: balance },
            'No enriching credits left: the sync could capture nobody new',
          )
        const { syncId, nextSyncAt } = await openRun(tx, source, 'manual')
        return { sourceId: source.id, syncId, jobId: syncId, queued: true, nextSyncAt }
      }),
    untrackProfile: untrackHandler('person', endDeliveries),
    untrackCompany: untrackHandler('company', endDeliveries),
  }) satisfies Partial<Handlers>

type EditInput = Input<OperationOf<'editProfile'>>
type Edited = Answer<OperationOf<'editProfile'>>
type Kind = 'person' | 'company'

/** Locks a source for an edit; a read that fails is 502 and changes nothing (TRK-21). */
async function lockToEdit(
  tx: Tx,
  caller: Caller,
  { faultPoint, name }: { faultPoint: FaultPointHook; name: SourceName },
): Promise<Source> {
  try {
    await faultPoint('mode_read')
    return (await lockActiveSource(tx, caller.teamId, name)) ?? refuse('not_tracked')
  } catch (error) {
    if (error instanceof Refusal || mayBeTriedAgain(error)) throw error
    return refuse('mode_unreadable')
  }
}

const namedIn = <K extends SourceSetting & keyof EditInput>(input: EditInput, names: readonly K[]): K[] =>
  names.filter((name) => input[name] !== undefined)

function presentEdit(source: Source, input: EditInput, settings: SourceSettings): Edited {
  const before = source.settings
  return {
    sourceId: source.id,
    type: source.type === 'company' ? 'company' : 'person',
    username: source.username,
    creditCapPerSync: settings.creditCapPerSync,
    ...pickSettings(settings, namedIn(input, echoedByEdit)),
    previous: {
      ...pickSettings(before, alwaysBefore),
      ...(input.mode === undefined ? {} : { mode: before.mode, postsPerSync: before.postsPerSync }),
    },
  }
}

export function editOperations(deps: { faultPoint: FaultPointHook }): Handlers<'editProfile' | 'editCompany'> {
  const edit = (type: Kind, input: EditInput, { caller, unitOfWork }: WriteContext<Edited>): Promise<Settled<Edited>> =>
    unitOfWork(async (tx) => {
      const name = { type, username: input.username }
      const source = await lockToEdit(tx, caller, { faultPoint: deps.faultPoint, name })
      const { balance } = await readBalance(tx.db, caller.teamId, tx.now)
      const decision = decideEdit(source.settings, {
        named: pickSettings(input, settingsOf('edit')),
        confirmSpend: input.confirmSpend,
        balance,
      })
      if (decision.kind === 'refused')
        return refuse('spend_confirmation_required', decision.figures, confirmIn(decision.figures.mode))
      await saveSettings(tx, source, decision.settings)
      return presentEdit(source, input, decision.settings)
    })
  return {
    editProfile: (input, context) => edit('person', input, context),
    editCompany: (input, context) => edit('company', input, context),
  }
}

/** Reads a post from the network, outside any unit of work, before anything is written. */
async function verify(network: Network, urn: string): Promise<Post> {
  try {
    return await network.post(urn)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'not_found')
      return refuse(
        'invalid_request',
        {},
        '`postUrl` must name a post that exists: the network has none under that address',
      )
    throw new Refusal(
      'post_resolve_failed',
      {},
      `The post could not be verified, and nothing was created: try again. ${failureMessage(error)}`,
      retryAfterHeaders(error),
    )
  }
}

/** The other URNs of a post: as submitted, and as the network knows it. A share and the ugcPost it became have one number. */
const aliasesOf = (post: Post, submitted: string, postUrn: string): string[] =>
  [
    ...new Set([submitted, post.urn, ...post.aliases].map((urn) => urn.replace('urn:li:share:', 'urn:li:ugcPost:'))),
  ].filter((urn) => urn !== postUrn)

export function postOperations(deps: {
  network: Network
  faultPoint: FaultPointHook
  endDeliveries: EndDeliveries
  blockList: BlockList
}): Handlers<'trackPost' | 'untrackPost'> {
  return {
    trackPost: async (input, { caller, unitOfWork }) => {
      const { submitted, urn } = input.postUrl
      const post = await verify(deps.network, urn)
      return unitOfWork(async (tx) => {
        // The source that any of its names leads to; it keeps its URN when the network resolves the post to another number.
        const postUrn = (await findTrackedUrn(tx.db, caller.teamId, [post.urn, urn, ...post.aliases])) ?? post.urn
        const tracked = await trackSource(tx, caller, {
          type: 'post',
          username: postUrn,
          named: pickSettings(input, settingsOf('post')),
          confirmSpend: false,
        })
        const [kept] = await deps.blockList.withoutAuthors(tx, caller.teamId, [{ ...post, urn: postUrn }])
        // A post's address contains a handle: its author's, or anyone's, because only the number counts.
        const named = { urn: null, handle: handleInAddress(submitted) }
        const isOfErased = (await deps.blockList.findBlocked(tx.db, caller.teamId, [named])).has(named)
        const postUrl =
          kept!.author.kind === 'erased' || isOfErased ? `https://www.linkedin.com/feed/update/${postUrn}` : submitted
        await savePostNames(
          tx,
          { teamId: caller.teamId, id: tracked.sourceId },
          { postUrl, aliases: aliasesOf(post, urn, postUrn) },
        )
        await rememberPosts(tx, caller.teamId, [kept!])
        await deps.faultPoint('track.before-commit')
        return {
          postUrn,
          postUrl,
          syncId: tracked.syncId,
          ...(tracked.syncNotQueuedReason === null ? {} : { syncNotQueuedReason: tracked.syncNotQueuedReason }),
          ...pickSettings(input, settingsOf('post')),
        }
      })
    },
    untrackPost: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) =>
        untrackByName(tx, caller, {
          name: { type: 'post', username: (await findTrackedUrn(tx.db, caller.teamId, [input.urn])) ?? input.urn },
          endDeliveries: deps.endDeliveries,
        }),
      ),
  }
}
