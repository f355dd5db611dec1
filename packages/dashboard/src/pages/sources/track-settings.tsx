import { creditAPersonSaid } from '@les/contract'
import { bounds, initialSettings } from 'virtual:values'
import { Checkbox, TextField, SelectField, bound } from '../../ui/index.ts'

/** As typed: empty text means no limit, or the service's own choice. */
export type TrackSettings = {
  readonly mode: 'engagers' | 'posts_only'
  readonly cap: string
  readonly posts: string
  readonly replies: boolean
  readonly enrich: boolean
  readonly firstPosts: string
  readonly firstDays: string
}

/**
 * What the form begins with. The interface has no default for posts a sync; the form suggests fewer than that of a search,
 * which finds the posts of many authors.
 */
export const startSettings: TrackSettings = {
  mode: initialSettings.mode,
  cap: String(bounds.creditCap.default),
  posts: '10',
  replies: initialSettings.captureReplies,
  enrich: initialSettings.enrichLeads,
  firstPosts: '',
  firstDays: '',
}

const inside = (text: string, { min, max }: { min: number; max: number }): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
const say = ({ min, max }: { min: number; max: number }): string => `Enter a whole number from ${min} to ${max}`

/** What is wrong, by field; empty when it may be sent. */
export function settingFaults(settings: TrackSettings): Readonly<Partial<Record<keyof TrackSettings, string>>> {
  const postsOnly = settings.mode === 'posts_only'
  return {
    ...(settings.cap.trim() === '' || inside(settings.cap, bounds.creditCap)
      ? {}
      : { cap: 'Enter a whole number of at least 1, or nothing for no limit' }),
    ...(!postsOnly || inside(settings.posts, bounds.postsPerSync) ? {} : { posts: say(bounds.postsPerSync) }),
    ...(postsOnly || settings.firstPosts.trim() === '' || inside(settings.firstPosts, bounds.firstSyncPosts)
      ? {}
      : { firstPosts: say(bounds.firstSyncPosts) }),
    ...(postsOnly || settings.firstDays.trim() === '' || inside(settings.firstDays, bounds.firstSyncDays)
      ? {}
      : { firstDays: say(bounds.firstSyncDays) }),
  }
}

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))

export function profileFields(settings: TrackSettings) {
  const shared = {
    creditCapPerSync: numberOrNull(settings.cap),
    captureReplies: settings.replies,
    enrichLeads: settings.enrich,
  }
  if (settings.mode === 'posts_only')
    return { ...shared, mode: 'posts_only' as const, postsPerSync: Number(settings.posts) }
  return {
    ...shared,
    ...(settings.firstPosts.trim() === '' ? {} : { firstSyncPosts: Number(settings.firstPosts) }),
    ...(settings.firstDays.trim() === '' ? {} : { firstSyncDays: Number(settings.firstDays) }),
  }
}

export const postFields = (settings: TrackSettings) => ({
  creditCapPerSync: numberOrNull(settings.cap),
  captureReplies: settings.replies,
  enrichLeads: settings.enrich,
})

type Change = (change: Partial<TrackSettings>) => void

function FirstSync({ value, onChange }: { value: TrackSettings; onChange: Change }) {
  const faults = settingFaults(value)
  return (
    <>
      <TextField
        label="Posts of the first sync"
        optional
        error={faults.firstPosts}
        hint={`Empty: the latest ${bounds.firstSyncPosts.default}.`}
        inputMode="numeric"
        {...bound(value, onChange, 'firstPosts')}
      />
      <TextField
        label="Days back at the first sync"
        optional
        error={faults.firstDays}
        hint="Empty: however old they are."
        inputMode="numeric"
        {...bound(value, onChange, 'firstDays')}
      />
    </>
  )
}

export function TrackSettingsForm({
  value,
  onChange,
  profiles,
}: {
  value: TrackSettings
  onChange: (settings: TrackSettings) => void
  profiles: boolean
}) {
  const faults = settingFaults(value)
  const set = (change: Partial<TrackSettings>) => onChange({ ...value, ...change })
  const postsOnly = profiles && value.mode === 'posts_only'
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {profiles && (
        <SelectField
          label="What to capture"
          className="sm:col-span-2"
          {...bound(value, set, 'mode')}
          choices={[
            { value: 'engagers', label: 'People who react and comment' },
            { value: 'posts_only', label: 'Only the posts, no people' },
          ]}
        />
      )}
      {postsOnly ? (
        <TextField
          label="Posts a sync"
          error={faults.posts}
          hint="A sync runs about once a day. One credit a post."
          inputMode="numeric"
          {...bound(value, set, 'posts')}
        />
      ) : (
        <TextField
          label="Most leads a sync"
          error={faults.cap}
          hint={`Empty: no limit. ${creditAPersonSaid}.`}
          inputMode="numeric"
          {...bound(value, set, 'cap')}
        />
      )}
      {profiles && !postsOnly && <FirstSync value={value} onChange={set} />}
      {!postsOnly && (
        <div className="flex flex-col gap-3 sm:col-span-2">
          <Checkbox {...bound(value, set, 'replies')} label="Also people who reply to comments" />
          <Checkbox
            value={!value.enrich}
            onValue={(raw) => set({ enrich: !raw })}
            label="Raw mode: no enrichment"
            hint="Leads then have a name and an address only. They are in the list of raw leads, and are never judged, delivered or sent."
          />
        </div>
      )}
    </div>
  )
}
