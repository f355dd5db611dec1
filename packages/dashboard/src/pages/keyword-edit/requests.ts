/** What a draft is as a request: whole for a new search, the differences for an edit. */
import { contractVersions } from '@les/contract'
import type { V1Input } from '../../api/index.ts'
import { filters, type Draft } from './draft.ts'

type Track = V1Input<'trackKeyword'>
type Edit = V1Input<'editKeyword'>

/** Text as a number; what is none is sent as it is not, so that the service names the field. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))
const instantOf = (local: string): string => new Date(local).toISOString()

const captureOf = (draft: Draft) =>
  draft.mode === 'posts_only'
    ? { mode: 'posts_only' as const, postsPerSync: numberOf(draft.postsPerSync) }
    : {
        mode: 'engagers' as const,
        captureEngagers: draft.captureEngagers,
        capturePostAuthors: draft.capturePostAuthors,
      }

const scheduleOf = (draft: Draft) =>
  draft.repeat === 'once'
    ? { runOnce: true }
    : { runOnce: false, ...(draft.repeat === 'runs' ? { maxRuns: numberOf(draft.maxRuns) } : { maxRuns: null }) }

const breadthOf = (draft: Draft) =>
  draft.captureMode === 'breadth' && draft.maxEngagementsPerPost.trim() !== ''
    ? { maxEngagementsPerPost: numberOf(draft.maxEngagementsPerPost) }
    : {}

/** What a search looks for: what identifies it. */
export const subjectOf = (draft: Draft): Pick<Track, 'keywords' | 'expression'> =>
  draft.kind === 'terms' ? { keywords: [...draft.terms] } : { expression: draft.expression }

/** The body that tracks a draft under the contract that asks before it spends. */
export function trackOf(draft: Draft): Track {
  return {
    ...subjectOf(draft),
    ...(draft.name.trim() === '' ? {} : { name: draft.name }),
    datePosted: draft.datePosted,
    sort: draft.sort,
    ...(draft.contentType === '' ? {} : { contentType: draft.contentType }),
    ...Object.fromEntries(
      filters.flatMap(({ name }) => (draft.targeting[name].length > 0 ? [[name, [...draft.targeting[name]]]] : [])),
    ),
    ...captureOf(draft),
    creditCap: numberOf(draft.creditCap),
    captureMode: draft.captureMode,
    ...breadthOf(draft),
    captureReplies: draft.captureReplies,
    enrichLeads: draft.enrichLeads,
    ...(draft.aiProvider === ''
      ? {}
      : {
          aiProvider: draft.aiProvider,
          aiPrompt: draft.aiPrompt,
          ...(draft.aiModel.trim() === '' ? {} : { aiModel: draft.aiModel }),
        }),
    ...scheduleOf(draft),
    ...(draft.endAt === '' ? {} : { endAt: instantOf(draft.endAt) }),
    contractVersion: contractVersions.spend,
  } as Track
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The edit that makes `before` into `after`; null when nothing differs. */
export function editOf(id: string, before: Draft, after: Draft): Edit | null {
  const differs = (...fields: readonly (keyof Draft)[]) => fields.some((field) => !same(before[field], after[field]))
  const breadth = differs('captureMode', 'maxEngagementsPerPost')
  const changes = {
    ...(differs('name') ? { name: after.name.trim() === '' ? null : after.name } : {}),
    ...(differs('datePosted') ? { datePosted: after.datePosted } : {}),
    ...(differs('sort') ? { sort: after.sort } : {}),
    ...(differs('contentType') ? { contentType: after.contentType === '' ? null : after.contentType } : {}),
    ...Object.fromEntries(
      filters.flatMap(({ name }) =>
        same(before.targeting[name], after.targeting[name]) ? [] : [[name, [...after.targeting[name]]]],
      ),
    ),
    ...(differs('mode', 'postsPerSync', 'captureEngagers', 'capturePostAuthors') ? captureOf(after) : {}),
    ...(differs('creditCap') ? { creditCap: numberOf(after.creditCap) } : {}),
    ...(breadth
      ? {
          captureMode: after.captureMode,
          ...(after.captureMode === 'breadth' ? { maxEngagementsPerPost: null, ...breadthOf(after) } : {}),
        }
      : {}),
    ...(differs('captureReplies') ? { captureReplies: after.captureReplies } : {}),
    ...(differs('enrichLeads') ? { enrichLeads: after.enrichLeads } : {}),
    ...(differs('aiProvider', 'aiModel', 'aiPrompt')
      ? after.aiProvider === ''
        ? { aiProvider: null, aiPrompt: null }
        : {
            aiProvider: after.aiProvider,
            aiPrompt: after.aiPrompt,
            aiModel: after.aiModel.trim() === '' ? null : after.aiModel,
          }
      : {}),
    ...(differs('repeat', 'maxRuns') ? scheduleOf(after) : {}),
    ...(differs('endAt') ? { endAt: after.endAt === '' ? null : instantOf(after.endAt) } : {}),
  }
  return Object.keys(changes).length === 0 ? null : ({ id, ...changes } as Edit)
}
