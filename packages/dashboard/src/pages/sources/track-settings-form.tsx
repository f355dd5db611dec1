import { creditAPersonSaid } from '@les/contract'
import type { ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { Checkbox, Field, Input, Select } from '../../ui/index.ts'
import { settingFaults, type TrackSettings } from './track-settings.ts'

type Change = (change: Partial<TrackSettings>) => void

function FirstSync({ value, onChange }: { readonly value: TrackSettings; readonly onChange: Change }): ReactNode {
  const faults = settingFaults(value)
  return (
    <>
      <Field
        label="Posts of the first sync"
        optional
        error={faults.firstPosts}
        hint={`Empty: the latest ${bounds.firstSyncPosts.default}.`}
      >
        <Input
          inputMode="numeric"
          value={value.firstPosts}
          onChange={(event) => onChange({ firstPosts: event.target.value })}
        />
      </Field>
      <Field label="Days back at the first sync" optional error={faults.firstDays} hint="Empty: however old they are.">
        <Input
          inputMode="numeric"
          value={value.firstDays}
          onChange={(event) => onChange({ firstDays: event.target.value })}
        />
      </Field>
    </>
  )
}

function PeopleOfPosts({ value, onChange }: { readonly value: TrackSettings; readonly onChange: Change }): ReactNode {
  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      <Checkbox
        checked={value.replies}
        onChecked={(replies) => onChange({ replies })}
        label="Also people who reply to comments"
      />
      <Checkbox
        checked={!value.enrich}
        onChecked={(raw) => onChange({ enrich: !raw })}
        label="Raw mode: no enrichment"
        hint="Leads then have a name and an address only. They are in the list of raw leads, and are never judged, delivered or sent."
      />
    </div>
  )
}

/** The settings of what is about to be tracked; those of people and company pages only when there are some. */
export function TrackSettingsForm({
  value,
  onChange,
  profiles,
}: {
  readonly value: TrackSettings
  readonly onChange: (settings: TrackSettings) => void
  readonly profiles: boolean
}): ReactNode {
  const faults = settingFaults(value)
  const set = (change: Partial<TrackSettings>) => onChange({ ...value, ...change })
  const postsOnly = profiles && value.mode === 'posts_only'
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {profiles && (
        <Field label="What to capture" className="sm:col-span-2">
          <Select
            value={value.mode}
            onValue={(mode) => set({ mode })}
            choices={[
              { value: 'engagers', label: 'People who react and comment' },
              { value: 'posts_only', label: 'Only the posts, no people' },
            ]}
          />
        </Field>
      )}
      {postsOnly ? (
        <Field label="Posts a sync" error={faults.posts} hint="A sync runs about once a day. One credit a post.">
          <Input inputMode="numeric" value={value.posts} onChange={(event) => set({ posts: event.target.value })} />
        </Field>
      ) : (
        <Field label="Most leads a sync" error={faults.cap} hint={`Empty: no limit. ${creditAPersonSaid}.`}>
          <Input inputMode="numeric" value={value.cap} onChange={(event) => set({ cap: event.target.value })} />
        </Field>
      )}
      {profiles && !postsOnly && <FirstSync value={value} onChange={set} />}
      {!postsOnly && <PeopleOfPosts value={value} onChange={set} />}
    </div>
  )
}
