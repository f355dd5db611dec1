/** Handlers of posts: what a watch has seen, post jobs, engagement jobs, charged reads. */
import { bounds } from '@les/contract'
import type { Handlers } from '../../accounts/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { shareAccount } from '../../credits/index.ts'
import { insertJob } from '../../jobs/index.ts'
import { authorNamed, findActiveSource, findSource, withPresentName } from '../../sources/index.ts'
import { chargedReadOperations, type ChargedReadDeps } from './charged-read.ts'
import { engagementOperations } from './engagement.ts'
import { readToken, type PostsJobPayload } from './jobs.ts'
import { presentSourcePost } from './present.ts'
import { listSourcePosts } from './store.ts'
import type { WindowDeps } from './window.ts'

type PostOperationDeps = WindowDeps & ChargedReadDeps & { readonly vault: Vault }

const postsJobs = (vault: Vault): Handlers<'fetchProfilePosts' | 'fetchCompanyPosts'> => {
  const make =
    (type: 'person' | 'company'): Handlers<'fetchProfilePosts'>['fetchProfilePosts'] =>
    async (input, { caller, db, unitOfWork }) => {
      const source =
        (await findActiveSource(db, caller.teamId, { type, username: input.username })) ?? refuse('not_tracked')
      const token = input.paginationToken
      const place =
        token === undefined
          ? null
          : ((await readToken(db, { vault, source, token })) ??
            refuse('invalid_request', {}, '`paginationToken` must be the one of an earlier result for the same source'))
      const payload: PostsJobPayload = {
        sourceId: source.id,
        of: await withPresentName(db, caller.teamId, authorNamed(type, source.username, source.networkUrn)),
        limit: input.limit ?? bounds.postsJobLimit.default,
        place,
      }
      return unitOfWork(async (tx) => {
        // The tracked person may be being erased: then no job may name them.
        await shareAccount(tx, caller.teamId, 'team')
        if (!(await findActiveSource(tx.db, caller.teamId, { id: source.id }))) return refuse('not_tracked')
        return {
          jobId: await insertJob(tx, {
            teamId: caller.teamId,
            type: type === 'person' ? 'profile_posts' : 'company_posts',
            payload,
          }),
        }
      })
    }
  return { fetchProfilePosts: make('person'), fetchCompanyPosts: make('company') }
}

export const postReadOperations = (deps: PostOperationDeps) =>
  ({
    listSourcePosts: async (input, { caller, db }) => {
      const source =
        (await findSource(db, caller.teamId, { id: input.id })) ?? refuse('not_found', {}, 'No such source')
      const { rows, total } = await listSourcePosts(db, { teamId: caller.teamId, sourceId: source.id, page: input })
      // Posts seen before a watch was switched to engagers stay readable.
      if (source.settings.mode !== 'posts_only' && total === 0)
        refuse(
          'invalid_request',
          {},
          'This source captures engagers and has watched no posts: only a posts-only watch lists posts',
        )
      return {
        sourceId: source.id,
        posts: rows.map(presentSourcePost),
        total,
        limit: input.limit,
        offset: input.offset,
        hasMore: input.offset + rows.length < total,
      }
    },
    ...postsJobs(deps.vault),
    ...engagementOperations(deps),
    ...chargedReadOperations(deps),
  }) satisfies Partial<Handlers>
