/** A keyword search being edited: each field as its control holds it, and its conversion to requests. */
import { contractVersions, type TargetingFilter } from '@les/contract'
import { initialSearch, initialSettings } from 'virtual:values'
import type { InputOf } from '../../api/index.ts'
import { numberOf, numberOrNull } from '../../ui/edited.ts'
import type { SearchRow } from '../keyword/words.ts'

type Track = InputOf<'trackKeyword'>
type Edit = InputOf<'editKeyword'>
/** Numbers and instants are text until sent. */
type Texts = 'expression' | 'name' | 'postsPerSync' | 'creditCap' | 'maxEngagementsPerPost' | 'maxRuns' | 'endAt'
type AiTexts = 'aiModel' | 'aiPrompt'
type Switches = 'captureEngagers' | 'capturePostAuthors' | 'captureReplies' | 'enrichLeads'

export type Draft = Readonly<
  Record<Texts | AiTexts, string> &
    Record<Switches, boolean> &
    Required<Pick<Track, 'datePosted' | 'sort'>> & {
      kind: 'terms' | 'expression'
      terms: readonly string[]
      contentType: NonNullable<Track['contentType']> | ''
      targeting: Readonly<Record<TargetingFilter, readonly string[]>>
      mode: 'engagers' | 'posts_only'
      captureMode: 'depth' | 'breadth'
      aiProvider: NonNullable<Track['aiProvider']> | ''
      repeat: 'daily' | 'once' | 'runs'
      /** Filters whose people are being looked up; they are not in a list yet, and nothing can be saved. */
      looking: readonly TargetingFilter[]
    }
>

/** Fields to change, or a function of the present draft, for answers that arrive after other edits. */
type DraftChange = Partial<Draft> | ((now: Draft) => Partial<Draft>)

export type Change = (change: DraftChange) => void

export const changed = (now: Draft, change: DraftChange): Draft => ({
  ...now,
  ...(typeof change === 'function' ? change(now) : change),
})

const aCompany = 'The number of the company, or urn:li:organization:…'
const aPerson = 'A profile address, a handle or a member id.'

export const filters: readonly {
  readonly name: TargetingFilter
  readonly label: string
  readonly hint: string
  readonly isPeople?: boolean
}[] = [
  { name: 'authorKeyword', label: 'Words in the author’s headline', hint: 'Plain words, such as “founder”.' },
  { name: 'authorIndustry', label: 'Author’s industry', hint: 'The number of the industry, or urn:li:industry:…' },
  { name: 'authorCompany', label: 'Author’s company', hint: aCompany },
  { name: 'fromPerson', label: 'Only posts by these people', hint: aPerson, isPeople: true },
  { name: 'fromCompany', label: 'Only posts by these companies', hint: aCompany },
  { name: 'mentionsPerson', label: 'Posts that mention these people', hint: aPerson, isPeople: true },
  { name: 'mentionsCompany', label: 'Posts that mention these companies', hint: aCompany },
]

const targetingOf = (row?: SearchRow): Draft['targeting'] =>
  Object.fromEntries(
    filters.map(({ name }) => [name, row?.filters?.[name] ?? row?.[name] ?? []]),
  ) as unknown as Draft['targeting']

/** A new search. The service has no default for posts per run; the form suggests 20. */
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

/** A minute of the reader's clock, as date fields take it: the way Swedish writes it, but for a T. */
const localMinute = (at: string | null | undefined): string =>
  at ? new Date(at).toLocaleString('sv').slice(0, 16).replace(' ', 'T') : ''

/** The fields of a stored search as controls hold them; fields it does not name stay as in a new search. */
export function draftOf(row: SearchRow): Draft {
  const held = Object.entries(emptyDraft).flatMap(([name, initial]) => {
    const value: unknown = row[name as keyof SearchRow]
    if (value === null || value === undefined) return []
    return [[name, typeof initial === 'string' ? String(value) : value]]
  })
  return {
    ...emptyDraft,
    ...Object.fromEntries(held),
    kind: row.expression ? 'expression' : 'terms',
    terms: row.keywords ?? [],
    targeting: targetingOf(row),
    repeat: row.runOnce ? 'once' : row.maxRuns ? 'runs' : 'daily',
    endAt: localMinute(row.endAt),
  }
}

/** Why a draft cannot be saved or reset yet, or false. */
export const waitsFor = ({ looking }: Draft): string | false =>
  looking.length > 0 && 'People you named are still being looked up.'

export const looksForSomething = (draft: Draft): boolean =>
  draft.kind === 'terms' ? draft.terms.length > 0 : draft.expression.trim() !== ''

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)

const scheduleOf = ({ repeat, maxRuns }: Draft): object =>
  repeat === 'once' ? { runOnce: true } : { runOnce: false, maxRuns: repeat === 'runs' ? numberOf(maxRuns) : null }

/** The settings of a draft for the service, in parts edited together; null or an empty list is unset. */
const partsOf = (draft: Draft): readonly object[] => [
  { name: textOrNull(draft.name) },
  { datePosted: draft.datePosted },
  { sort: draft.sort },
  { contentType: draft.contentType || null },
  ...filters.map(({ name }) => ({ [name]: draft.targeting[name] })),
  draft.mode === 'posts_only'
    ? { mode: draft.mode, postsPerSync: numberOf(draft.postsPerSync) }
    : { mode: draft.mode, captureEngagers: draft.captureEngagers, capturePostAuthors: draft.capturePostAuthors },
  { creditCap: numberOf(draft.creditCap) },
  draft.captureMode === 'depth'
    ? { captureMode: draft.captureMode }
    : {
        captureMode: draft.captureMode,
        maxEngagementsPerPost: numberOrNull(draft.maxEngagementsPerPost),
      },
  { captureReplies: draft.captureReplies },
  { enrichLeads: draft.enrichLeads },
  draft.aiProvider === ''
    ? { aiProvider: null, aiPrompt: null }
    : { aiProvider: draft.aiProvider, aiPrompt: draft.aiPrompt, aiModel: textOrNull(draft.aiModel) },
  scheduleOf(draft),
  { endAt: draft.endAt === '' ? null : new Date(draft.endAt).toISOString() },
]

const isSet = ([, value]: readonly [string, unknown]): boolean =>
  value !== null && !(Array.isArray(value) && value.length === 0)

/** The request that tracks a draft, under the contract version that asks before spending. */
export const trackOf = (draft: Draft): Track =>
  ({
    ...(draft.kind === 'terms' ? { keywords: draft.terms } : { expression: draft.expression }),
    ...Object.fromEntries(partsOf(draft).flatMap((part) => Object.entries(part).filter(isSet))),
    ...scheduleOf(draft),
    contractVersion: contractVersions.spend,
  }) as unknown as Track

/** JSON that distinguishes NaN from null. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (Number.isNaN(each) ? 'NaN' : each))

/** The edit from `before` to `after`; null when they are equal. */
export function editOf(id: string, before: Draft, after: Draft): Edit | null {
  const old = partsOf(before).map(written)
  const changes = partsOf(after).filter((part, at) => written(part) !== old[at])
  return changes.length === 0 ? null : (Object.assign({ id }, ...changes) as Edit)
}
