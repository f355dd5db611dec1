/** The settings of a source as tables of fields, for every page that edits some of them. */
import { creditAPersonSaid, type FilterColumns } from '@les/contract'
import { bounds, initialSettings } from 'virtual:values'
import { compact } from '../../app/search.ts'
import { CampaignField } from '../../sends/index.ts'
import { numberOrNull } from '../../ui/edited.ts'
import { leadColumns, type EditedRow } from '../../ui/filter-words.ts'
import { choicesOf, isFaultless, type FormField } from '../../ui/form.tsx'

/** As typed: empty text means no limit, or the service's default. */
export type TrackSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly cap: string
  readonly posts: string
  readonly replies: boolean
  readonly raw: boolean
  readonly firstPosts: string
  readonly firstDays: string
}

/** The initial settings. The service has no default for posts per sync; searches, with many authors, start with more. */
export const startSettings: TrackSettings = {
  mode: initialSettings.mode,
  cap: String(bounds.creditCap.default),
  posts: '10',
  replies: initialSettings.captureReplies,
  raw: !initialSettings.enrichLeads,
  firstPosts: '',
  firstDays: '',
}

const isWithin = (text: string, { min, max }: { min: number; max: number }): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

const rangeFault = (text: string, range: { min: number; max: number }): string | false =>
  !isWithin(text, range) && `Enter a whole number from ${range.min} to ${range.max}`

export const isNoCap = (cap: string): boolean => cap.trim() !== '' && !isWithin(cap, bounds.creditCap)

const capFault = ({ cap }: TrackSettings): string | false =>
  isNoCap(cap) && 'Enter a whole number of at least 1, or leave it empty for no limit'

type TrackKind = {
  /** It may store only posts, as those of people and companies may. */
  readonly modes: boolean
  /** It was never synced. */
  readonly isNew: boolean
}

/** How a source captures. */
export function trackFields({ modes, isNew }: TrackKind): readonly FormField<TrackSettings>[] {
  const isPostsOnly = ({ mode }: TrackSettings) => modes && mode === 'posts_only'
  const capturesPeople = (settings: TrackSettings) => !isPostsOnly(settings)
  const isFirst = (settings: TrackSettings) => isNew && modes && capturesPeople(settings)
  return [
    {
      name: 'mode',
      label: 'What to capture',
      wide: true,
      when: () => modes,
      choices: choicesOf({ engagers: 'People who react and comment', posts_only: 'Only the posts, no people' }),
    },
    {
      name: 'posts',
      label: 'Posts a sync',
      when: isPostsOnly,
      fault: ({ posts }) => rangeFault(posts, bounds.postsPerSync),
      hint: 'A sync runs about once a day. One credit a post.',
      inputMode: 'numeric',
    },
    {
      name: 'cap',
      label: 'Most leads a sync',
      when: capturesPeople,
      fault: capFault,
      hint: `Empty: no limit. ${creditAPersonSaid}.`,
      inputMode: 'numeric',
    },
    {
      name: 'firstPosts',
      label: 'Posts of the first sync',
      optional: true,
      when: isFirst,
      fault: ({ firstPosts }) => firstPosts.trim() !== '' && rangeFault(firstPosts, bounds.firstSyncPosts),
      hint: `Empty: the latest ${bounds.firstSyncPosts.default}.`,
      inputMode: 'numeric',
    },
    {
      name: 'firstDays',
      label: 'Days back at the first sync',
      optional: true,
      when: isFirst,
      fault: ({ firstDays }) => firstDays.trim() !== '' && rangeFault(firstDays, bounds.firstSyncDays),
      hint: 'Empty: posts of any age.',
      inputMode: 'numeric',
    },
    { name: 'replies', label: 'Also people who reply to comments', as: 'checkbox', wide: true, when: capturesPeople },
    {
      name: 'raw',
      label: 'Raw mode: no enrichment',
      as: 'checkbox',
      wide: true,
      when: capturesPeople,
      hint: isNew
        ? 'Leads then have a name and an address only. They are in the list of raw leads, and are never judged, delivered or sent.'
        : 'Only for people captured from now on.',
    },
  ]
}

/** False when a field is faulty; the cap is sent even while it is not shown. */
export const isGood = (fields: readonly FormField<TrackSettings>[], settings: TrackSettings): boolean =>
  isFaultless(fields, settings) && capFault(settings) === false

export const postFields = ({ cap, replies, raw }: TrackSettings) => ({
  creditCapPerSync: numberOrNull(cap),
  captureReplies: replies,
  enrichLeads: !raw,
})

export const profileFields = (settings: TrackSettings) => ({
  ...postFields(settings),
  ...(settings.mode === 'posts_only'
    ? { mode: settings.mode, postsPerSync: Number(settings.posts) }
    : compact({
        firstSyncPosts: numberOrNull(settings.firstPosts) ?? undefined,
        firstSyncDays: numberOrNull(settings.firstDays) ?? undefined,
      })),
})

export type Webhook = {
  readonly url: string
  readonly autoSend: boolean
  readonly icpOnly: boolean
  readonly syncEvents: boolean
}

export const addressField = {
  name: 'url',
  label: 'Address',
  inputMode: 'url',
  maxLength: bounds.webhookUrl,
  placeholder: 'https://hooks.example.com/leads',
} as const

/** Where leads are delivered, and which; `whose` criteria decide who fits. */
export const webhookFields = (
  whose: string,
  address: Partial<Extract<FormField<Webhook>, { name: 'url' }>>,
): readonly FormField<Webhook>[] => [
  { ...addressField, type: 'url', ...address },
  { name: 'autoSend', label: 'Send new leads by themselves', hint: 'Off: only leads you push by hand.' },
  { name: 'icpOnly', label: 'Only leads that fit', hint: `By the criteria of ${whose}.` },
  {
    name: 'syncEvents',
    label: 'Also tell when a sync ends',
    hint: 'sync.completed and sync.failed',
    reason: ({ url }) => url.trim() === '' && 'Type an address first.',
  },
]

export type Criteria = { readonly rules: readonly EditedRow[]; readonly matchMode: 'all' | 'any' }

/** Who fits: rows and, with several, whether all or any must match. */
export const criteriaFields: readonly FormField<Criteria>[] = [
  {
    name: 'matchMode',
    label: 'A lead fits when',
    className: 'max-w-xs',
    when: ({ rules }) => rules.length > 1,
    choices: choicesOf({ all: 'every row matches', any: 'at least one row matches' }),
  },
  {
    name: 'rules',
    label: 'Criteria',
    columns: leadColumns,
    empty: 'No criteria: nobody is judged, and every lead counts as a maybe.',
    add: 'Add a criterion',
  },
]

export type CampaignDraft = {
  readonly campaignId: string
  readonly autoSend: boolean
  readonly filters: readonly EditedRow[]
}

type StoredCampaign = { readonly campaignId: string; readonly campaignName?: string } | null

/** The campaign that leads are sent to, and which. */
export const campaignFields = (
  columns: FilterColumns,
  stored: StoredCampaign,
  error?: string,
): readonly FormField<CampaignDraft>[] => [
  {
    name: 'campaignId',
    label: 'Campaign',
    error,
    fault: ({ campaignId }) => campaignId === '' && 'Choose a campaign',
    control: (props) => (
      <CampaignField
        {...props}
        known={stored?.campaignName === undefined ? undefined : { id: stored.campaignId, name: stored.campaignName }}
      />
    ),
  },
  {
    name: 'autoSend',
    label: 'Send new leads by themselves',
    hint: 'Each lead is sent once its details were looked up. Off: only leads you send by hand.',
  },
  {
    name: 'filters',
    label: 'Which leads are sent',
    legend: 'Only leads that match every row',
    columns,
    empty: 'No rows: every enriched lead is sent.',
  },
]
