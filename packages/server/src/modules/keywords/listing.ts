/** Handlers of the list of sources of all kinds, and of the posts that a search has found (SRC-01..SRC-12; G79). */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { listRescoring } from '../fit/index.ts'
import {
  findSource,
  listRuns,
  listShownRuns,
  listSources,
  presentSource,
  type Run,
  type Source,
} from '../sources/index.ts'
import { presentFoundPost, presentRow } from './present.ts'
import { listFoundPosts, listSearches } from './store.ts'

const keywordIds = (sources: readonly Source[]) =>
  sources.filter((source) => source.type === 'keyword').map((source) => source.id)

/** The run each source shows: its last, and for a search the last that untracking did not cut off (C4). */
async function readLastRuns(
  db: Reader,
  teamId: string,
  sources: readonly Source[],
): Promise<(source: Source) => Run | undefined> {
  const shownRuns = await listShownRuns(db, teamId, keywordIds(sources))
  const lastIds = sources.flatMap((source) => (source.type === 'keyword' ? [] : (source.lastSyncId ?? [])))
  const last = await listRuns(db, teamId, lastIds)
  return ({ type, id, lastSyncId }) => (type === 'keyword' ? shownRuns.get(id) : last.get(lastSyncId ?? ''))
}

export const listingOperations: Handlers<'listSources' | 'listKeptPosts'> = {
  listSources: async (input, { caller, db }) => {
    const sources = await listSources(db, caller.teamId, {
      type: input.type,
      includeInactive: input.includeInactive ?? false,
    })
    const lastRunOf = await readLastRuns(db, caller.teamId, sources)
    const searches = await listSearches(db, caller.teamId, keywordIds(sources))
    const ids = sources.map(({ id }) => id)
    const rescoring = await listRescoring(db, caller.teamId, ids)
    const rows = sources.map((source) => {
      const [search, judging] = [searches.get(source.id), rescoring.get(source.id)]
      return {
        ...presentSource(source, lastRunOf(source)),
        ...(search ? presentRow(source, search) : {}),
        ...(judging ? { rescoring: judging } : {}),
      }
    })
    return { sources: rows, total: rows.length }
  },
  listKeptPosts: async (input, { caller, db }) => {
    const source = (await findSource(db, caller.teamId, { id: input.id })) ?? refuse('not_found', {}, 'No such source')
    if (source.type !== 'keyword')
      refuse('invalid_request', {}, `This source is a ${source.type}: only a keyword search has kept posts`)
    const { limit, offset } = input
    const page = { includeSwept: input.include === 'swept', limit, offset }
    const { rows, total } = await listFoundPosts(db, { teamId: caller.teamId, sourceId: source.id }, page)
    return {
      sourceId: source.id,
      posts: rows.map(presentFoundPost),
      total,
      limit,
      offset,
      hasMore: offset + rows.length < total,
    }
  },
}
