/** Handlers of `POST /post/track` and `DELETE /post/{urn}` (specification «Tracked posts»; G10, G87, G88, G128). */
import { pickSettings, settingsOf } from '@les/contract'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Handlers } from '../accounts/index.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { comeBackHeaders, ProviderFailure, whatFailed, type Network, type Post } from '../../providers/ports.ts'
import { rememberPosts } from '../network/index.ts'
import { trackSource, untrackByName, type EndDeliveries } from './actions.ts'
import { findTrackedUrn, savePostNames } from './post-store.ts'

/** What the network says of a post; it is asked outside any unit of work, before anything is written. */
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
      `The post could not be verified, and nothing was created: try again. ${whatFailed(error)}`,
      comeBackHeaders(error),
    )
  }
}

/** The other URNs that name a post: as submitted, and as the network knows it. A share and the ugcPost it became have one number. */
const aliasesOf = (post: Post, submitted: string, postUrn: string): string[] =>
  [
    ...new Set([submitted, post.urn, ...post.aliases].map((urn) => urn.replace('urn:li:share:', 'urn:li:ugcPost:'))),
  ].filter((urn) => urn !== postUrn)

/** The handlers of tracked posts. */
export function postOperations(deps: {
  network: Network
  faultPoint: FaultPointHook
  endDeliveries: EndDeliveries
}): Handlers<'trackPost' | 'untrackPost'> {
  return {
    trackPost: async (input, { caller, unitOfWork }) => {
      const { submitted, urn } = input.postUrl
      const post = await verify(deps.network, urn)
      return unitOfWork(async (tx) => {
        // The source that any of its names leads to; a post that the network now resolves to another number stays the one it was.
        const postUrn = (await findTrackedUrn(tx.db, caller.teamId, [post.urn, urn, ...post.aliases])) ?? post.urn
        const tracked = await trackSource(tx, caller, {
          type: 'post',
          username: postUrn,
          named: pickSettings(input, settingsOf('post')),
          confirmSpend: false,
        })
        await savePostNames(
          tx,
          { teamId: caller.teamId, id: tracked.sourceId },
          { postUrl: submitted, aliases: aliasesOf(post, urn, postUrn) },
        )
        await rememberPosts(tx, caller.teamId, [{ ...post, urn: postUrn }])
        await deps.faultPoint('track.before-commit')
        return {
          postUrn,
          postUrl: submitted,
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
