import { creditAPersonSaid } from '@les/contract'
import { bounds, initialSettings } from 'virtual:values'
import { compact } from '../../app/search.ts'
import type { Reason } from '../../ui/button.tsx'
import { bound, Checkbox } from '../../ui/field.tsx'
import { choicesOf, FormFields, type FormField } from '../../ui/form.tsx'

/** As typed: empty text means no limit, or the service's default. */
export type TrackSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly cap: string
  readonly posts: string
  readonly replies: boolean
  readonly enrich: boolean
  readonly firstPosts: string
  readonly firstDays: string
}

/** The initial settings. The service has no default for posts per sync; searches, with many authors, start with more. */
export const startSettings: TrackSettings = {
  mode: initialSettings.mode,
  cap: String(bounds.creditCap.default),
  posts: '10',
  replies: initialSettings.captureReplies,
  enrich: initialSettings.enrichLeads,
  firstPosts: '',
  firstDays: '',
}

/** What is wrong with a typed number; undefined when it is within bounds, or empty if allowed. */
function numberFault(
  text: string,
  { min, max }: { min: number; max: number },
  mayBeEmpty: boolean,
): string | undefined {
  const isNumber = /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
  if (isNumber || (mayBeEmpty && text.trim() === '')) return undefined
  return `Enter a whole number from ${min} to ${max}`
}

export function settingFaults({
  mode,
  cap,
  posts,
  firstPosts,
  firstDays,
}: TrackSettings): Partial<Record<keyof TrackSettings, string>> {
  const capFault =
    numberFault(cap, bounds.creditCap, true) && 'Enter a whole number of at least 1, or leave it empty for no limit'
  const faults =
    mode === 'posts_only'
      ? { cap: capFault, posts: numberFault(posts, bounds.postsPerSync, false) }
      : {
          cap: capFault,
          firstPosts: numberFault(firstPosts, bounds.firstSyncPosts, true),
          firstDays: numberFault(firstDays, bounds.firstSyncDays, true),
        }
  return compact(faults)
}

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))

export const postFields = (settings: TrackSettings) => ({
  creditCapPerSync: numberOrNull(settings.cap),
  captureReplies: settings.replies,
  enrichLeads: settings.enrich,
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

type Field = FormField<TrackSettings>

const fault =
  (name: keyof TrackSettings) =>
  (settings: TrackSettings): string | undefined =>
    settingFaults(settings)[name]

const modeField: Field = {
  name: 'mode',
  label: 'What to capture',
  wide: true,
  choices: choicesOf({ engagers: 'People who react and comment', posts_only: 'Only the posts, no people' }),
}
const postsField: Field = {
  name: 'posts',
  label: 'Posts a sync',
  error: fault('posts'),
  hint: 'A sync runs about once a day. One credit a post.',
  inputMode: 'numeric',
}
const capField: Field = {
  name: 'cap',
  label: 'Most leads a sync',
  error: fault('cap'),
  hint: `Empty: no limit. ${creditAPersonSaid}.`,
  inputMode: 'numeric',
}
const firstFields: readonly Field[] = [
  {
    name: 'firstPosts',
    label: 'Posts of the first sync',
    optional: true,
    error: fault('firstPosts'),
    hint: `Empty: the latest ${bounds.firstSyncPosts.default}.`,
    inputMode: 'numeric',
  },
  {
    name: 'firstDays',
    label: 'Days back at the first sync',
    optional: true,
    error: fault('firstDays'),
    hint: 'Empty: posts of any age.',
    inputMode: 'numeric',
  },
]

type TrackSettingsFormProps = {
  value: TrackSettings
  onChange: (change: Partial<TrackSettings>) => void
  modes: boolean
  isNew: boolean
  reason?: Reason
}

/** The settings of a source. `modes`: it may store only posts (people, companies); `isNew`: never synced; `reason`: the lock. */
export function TrackSettingsForm({ value, onChange, modes, isNew, reason }: TrackSettingsFormProps) {
  const postsOnly = modes && value.mode === 'posts_only'
  const fields = [
    ...(modes ? [modeField] : []),
    postsOnly ? postsField : capField,
    ...(isNew && modes && !postsOnly ? firstFields : []),
  ]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormFields fields={fields} form={value} onChange={onChange} reason={reason} />
      {!postsOnly && (
        <div className="flex flex-col gap-3 sm:col-span-2">
          <Checkbox {...bound(value, onChange, 'replies')} reason={reason} label="Also people who reply to comments" />
          <Checkbox
            value={!value.enrich}
            reason={reason}
            onValue={(raw) => onChange({ enrich: !raw })}
            label="Raw mode: no enrichment"
            hint={
              isNew
                ? 'Leads then have a name and an address only. They are in the list of raw leads, and are never judged, delivered or sent.'
                : 'Only for people captured from now on.'
            }
          />
        </div>
      )}
    </div>
  )
}
