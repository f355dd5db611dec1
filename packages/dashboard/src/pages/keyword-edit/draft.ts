/** A keyword search as it is edited: every field as its control holds it. */
import type { TargetingFilter } from '@les/contract'
import { initialSearch, initialSettings } from 'virtual:values'
import type { V1Input } from '../../api/index.ts'
import type { SearchRow } from '../keyword/words.ts'

type Track = V1Input<'trackKeyword'>

/** The four vendors of AI. */
export type Vendor = NonNullable<Track['aiProvider']>

/** The targeting filters, with what each is called and what its values are. */
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
  readonly datePosted: NonNullable<Track['datePosted']>
  readonly sort: NonNullable<Track['sort']>
  readonly contentType: NonNullable<Track['contentType']> | ''
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
export type DraftChange = Partial<Draft> | ((now: Draft) => Partial<Draft>)

/** Changes some fields. */
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

/** An instant as the date and time field of a browser holds it, in the reader's zone. */
export function localMinute(at: string | null | undefined): string {
  if (!at) return ''
  const date = new Date(at)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** A stored search. */
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
