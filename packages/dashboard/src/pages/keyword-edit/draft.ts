import { contractVersions, type TargetingFilter } from '@les/contract'
import { initialSearch, initialSettings } from 'virtual:values'
import type { V1Input } from '../../api/index.ts'
import type { Choice } from '../../ui/index.ts'
import type { SearchRow } from '../keyword/words.ts'

/** A keyword search as it is edited: every field as its control holds it. */

type TrackFields = V1Input<'trackKeyword'>

type Vendor = NonNullable<TrackFields['aiProvider']>

export const filters: readonly {
  readonly name: TargetingFilter
  readonly label: string
  readonly takes: 'person' | 'id' | 'words'
  readonly hint: string
}[] = [
  {
    name: 'authorKeyword',
    label: 'Words in the author’s headline',
    takes: 'words',
    hint: 'Plain words, such as “founder”.',
  },
  {
    name: 'authorIndustry',
    label: 'Author’s industry',
    takes: 'id',
    hint: 'The number of the industry, or urn:li:industry:…',
  },
  {
    name: 'authorCompany',
    label: 'Author’s company',
    takes: 'id',
    hint: 'The number of the company, or urn:li:organization:…',
  },
  {
    name: 'fromPerson',
    label: 'Only posts by these people',
    takes: 'person',
    hint: 'A profile address, a handle or a member id.',
  },
  {
    name: 'fromCompany',
    label: 'Only posts by these companies',
    takes: 'id',
    hint: 'The number of the company, or urn:li:organization:…',
  },
  {
    name: 'mentionsPerson',
    label: 'Posts that mention these people',
    takes: 'person',
    hint: 'A profile address, a handle or a member id.',
  },
  {
    name: 'mentionsCompany',
    label: 'Posts that mention these companies',
    takes: 'id',
    hint: 'The number of the company, or urn:li:organization:…',
  },
]

/** The fields as they are edited; numbers are text until they are sent. */
export type Draft = {
  readonly kind: 'terms' | 'expression'
  readonly terms: readonly string[]
  readonly expression: string
  readonly name: string
  readonly datePosted: NonNullable<TrackFields['datePosted']>
  readonly sort: NonNullable<TrackFields['sort']>
  readonly contentType: NonNullable<TrackFields['contentType']> | ''
  readonly targeting: Readonly<Record<TargetingFilter, readonly string[]>>
  readonly mode: 'engagers' | 'posts_only'
  readonly postsPerSync: string
  readonly creditCap: string
  readonly captureEngagers: boolean
  readonly capturePostAuthors: boolean
  readonly captureMode: 'depth' | 'breadth'
  readonly maxEngagementsPerPost: string
  readonly captureReplies: boolean
  readonly enrichLeads: boolean
  readonly aiProvider: Vendor | ''
  readonly aiModel: string
  readonly aiPrompt: string
  readonly repeat: 'daily' | 'once' | 'runs'
  readonly maxRuns: string
  readonly endAt: string
  /** The filters whose people are being looked up; until then they are in no list, and nothing is saved. */
  readonly looking: readonly TargetingFilter[]
}

/** Some fields, or what they become by those of the moment: an answer may come when others have been changed since it was asked for. */
type DraftChange = Partial<Draft> | ((now: Draft) => Partial<Draft>)

export type Change = (change: DraftChange) => void

/** The draft after a change. */
export const changed = (now: Draft, change: DraftChange): Draft => ({
  ...now,
  ...(typeof change === 'function' ? change(now) : change),
})

function targetingOf(row?: SearchRow): Draft['targeting'] {
  const valuesOf = (name: keyof Draft['targeting']) => row?.filters?.[name] ?? row?.[name] ?? []
  return {
    authorCompany: valuesOf('authorCompany'),
    authorIndustry: valuesOf('authorIndustry'),
    authorKeyword: valuesOf('authorKeyword'),
    fromCompany: valuesOf('fromCompany'),
    fromPerson: valuesOf('fromPerson'),
    mentionsCompany: valuesOf('mentionsCompany'),
    mentionsPerson: valuesOf('mentionsPerson'),
  }
}

/** A new search. The interface has no default for posts a run: 20 is what the form suggests. */
export const emptyDraft: Draft = {
  kind: 'terms',
  terms: [],
  expression: '',
  name: '',
  datePosted: initialSearch.datePosted,
  sort: initialSearch.sort,
  contentType: '',
  targeting: targetingOf(),
  mode: initialSettings.mode,
  postsPerSync: '20',
  creditCap: String(initialSearch.creditCap),
  captureEngagers: initialSearch.captureEngagers,
  capturePostAuthors: initialSearch.capturePostAuthors,
  captureMode: initialSearch.captureMode,
  maxEngagementsPerPost: '',
  captureReplies: initialSettings.captureReplies,
  enrichLeads: initialSettings.enrichLeads,
  aiProvider: '',
  aiModel: '',
  aiPrompt: '',
  repeat: 'daily',
  maxRuns: '10',
  endAt: '',
  looking: [],
}

const pad = (part: number): string => String(part).padStart(2, '0')

function localMinute(at: string | null | undefined): string {
  if (!at) return ''
  const date = new Date(at)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

export function draftOf(row: SearchRow): Draft {
  return {
    ...emptyDraft,
    kind: row.expression ? 'expression' : 'terms',
    terms: row.keywords ?? [],
    expression: row.expression ?? '',
    name: row.name ?? '',
    datePosted: row.datePosted ?? emptyDraft.datePosted,
    sort: row.sort ?? emptyDraft.sort,
    contentType: row.contentType ?? '',
    targeting: targetingOf(row),
    mode: row.mode,
    postsPerSync: String(row.postsPerSync ?? emptyDraft.postsPerSync),
    creditCap: String(row.creditCap ?? emptyDraft.creditCap),
    captureEngagers: row.captureEngagers ?? emptyDraft.captureEngagers,
    capturePostAuthors: row.capturePostAuthors ?? emptyDraft.capturePostAuthors,
    captureMode: row.captureMode ?? emptyDraft.captureMode,
    maxEngagementsPerPost:
      row.maxEngagementsPerPost === null || row.maxEngagementsPerPost === undefined
        ? ''
        : String(row.maxEngagementsPerPost),
    captureReplies: row.captureReplies,
    enrichLeads: row.enrichLeads,
    aiProvider: row.aiProvider ?? '',
    aiModel: row.aiModel ?? '',
    aiPrompt: row.aiPrompt ?? '',
    repeat: row.runOnce ? 'once' : row.maxRuns ? 'runs' : 'daily',
    maxRuns: String(row.maxRuns ?? emptyDraft.maxRuns),
    endAt: localMinute(row.endAt),
  }
}

/** Why a draft cannot be saved or put back yet; false when it can. */
export const waitsFor = ({ looking }: Draft): string | false =>
  looking.length > 0 && 'People you named are still being looked up.'

/** True when the draft says what to look for. */
export const looksForSomething = (draft: Draft): boolean =>
  draft.kind === 'terms' ? draft.terms.length > 0 : draft.expression.trim() !== ''

export const ages: readonly Choice<Draft['datePosted']>[] = [
  { value: 'PAST_24_HOURS', label: 'The last 24 hours' },
  { value: 'PAST_WEEK', label: 'The last week' },
  { value: 'PAST_MONTH', label: 'The last month' },
]

export const orders: readonly Choice<Draft['sort']>[] = [
  { value: 'DATE_POSTED', label: 'Newest first' },
  { value: 'RELEVANCE', label: 'Most relevant first' },
]

export const contents: readonly Choice<Draft['contentType']>[] = [
  { value: '', label: 'Any post' },
  { value: 'VIDEO', label: 'With a video' },
  { value: 'IMAGE', label: 'With a picture' },
  { value: 'DOCUMENT', label: 'With a document' },
  { value: 'JOB', label: 'With a job' },
  { value: 'LIVE_VIDEO', label: 'With a live video' },
  { value: 'COLLABORATIVE_ARTICLE', label: 'Collaborative articles' },
]

export const vendors: readonly Choice<Draft['aiProvider']>[] = [
  { value: '', label: 'No AI filter' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
  { value: 'mistral', label: 'Mistral' },
]

const names: Readonly<Record<string, string>> = {
  name: 'Name',
  captureReplies: 'Capture replies to comments',
  enrichLeads: 'Look up people’s details',
  sort: 'Order',
  datePosted: 'Age of posts',
  contentType: 'Kind of post',
  aiProvider: 'AI vendor',
  aiModel: 'AI model',
  aiPrompt: 'AI instruction',
  creditCap: 'Credits a run',
  mode: 'What is captured',
  postsPerSync: 'Posts a run',
  captureEngagers: 'Capture who engages',
  capturePostAuthors: 'Capture authors of posts',
  captureMode: 'Spread over posts',
  maxEngagementsPerPost: 'People a post',
  runOnce: 'One run only',
  endAt: 'End date',
  maxRuns: 'Runs at most',
  ...Object.fromEntries(filters.map(({ name, label }) => [name, label])),
}

export const settingName = (field: string): string => names[field] ?? field

const values: Readonly<Record<string, string>> = {
  depth: 'many people per post',
  breadth: 'few people of many posts',
  engagers: 'people who engage',
  posts_only: 'posts only',
  ...Object.fromEntries(
    [...ages, ...orders, ...contents.slice(1), ...vendors.slice(1)].map(({ value, label }) => [value, label]),
  ),
}

export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  return values[String(value)] ?? String(value)
}

/** What a draft is as a request: whole for a new search, the differences for an edit. */

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
const subjectOf = (draft: Draft): Pick<Track, 'keywords' | 'expression'> =>
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
