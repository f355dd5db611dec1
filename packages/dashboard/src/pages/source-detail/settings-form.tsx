import { creditAPersonSaid } from '@les/contract'
import { useV1Mutation, useV1Query } from '../../api/index.ts'
import {
  Button,
  Card,
  Checkbox,
  Loaded,
  Notice,
  useEdited,
  useRefusal,
  useSpend,
  type Reason,
  TextField,
  SelectField,
  bound,
} from '../../ui/index.ts'
import { RuleForm } from '../outreach/rule-form.tsx'
import { settingFaults, startSettings, type TrackSettings } from '../sources/track-settings.tsx'
import { useSettings, type Health, type Settings } from './source.ts'

export function OutreachRule({ source }: { source: Health }) {
  const query = useV1Query('getSourceOutreach', { id: source.id }, { topic: 'outreach', staleTime: 60_000 })
  return (
    <Card
      title="Outreach"
      text="Leads that match go to a campaign of your outreach platform by themselves, each person once."
    >
      <Loaded query={query}>
        {(stored) => (
          <RuleForm
            key={stored.outreach?.updatedAt ?? 'none'}
            sourceId={source.id}
            isActive={source.status === 'active'}
            rule={stored.outreach}
          />
        )}
      </Loaded>
    </Card>
  )
}

const typed = (source: Settings): TrackSettings => ({
  ...startSettings,
  mode: source.mode,
  cap: source.creditCapPerSync === null ? '' : String(source.creditCapPerSync),
  posts: String(source.postsPerSync ?? startSettings.posts),
  replies: source.captureReplies,
  enrich: source.enrichLeads,
})

/** The fields of an edit: only what differs, since naming a mode is what asks for a yes. */
function changes(now: TrackSettings, before: TrackSettings) {
  const posts = now.mode === 'posts_only' && (before.mode !== 'posts_only' || now.posts !== before.posts)
  return {
    ...(now.cap === before.cap ? {} : { creditCapPerSync: now.cap.trim() === '' ? null : Number(now.cap) }),
    ...(now.replies === before.replies ? {} : { captureReplies: now.replies }),
    ...(now.enrich === before.enrich ? {} : { enrichLeads: now.enrich }),
    ...(now.mode === before.mode && !posts ? {} : { mode: now.mode }),
    ...(posts ? { postsPerSync: Number(now.posts) } : {}),
  }
}

function useSave(source: Settings) {
  const settings = { refreshes: ['sources', 'syncs'], done: 'Saved; it holds from the next sync on' } as const
  const person = useSpend(useV1Mutation('editProfile', settings))
  const company = useSpend(useV1Mutation('editCompany', settings))
  const post = useV1Mutation('trackPost', settings)
  if (source.type === 'person')
    return {
      pending: person.pending,
      dialog: person.dialog,
      save: (fields: ReturnType<typeof changes>, onSaved: () => void) =>
        person.run({ username: source.username, ...fields }, onSaved),
    }
  if (source.type === 'company')
    return {
      pending: company.pending,
      dialog: company.dialog,
      save: (fields: ReturnType<typeof changes>, onSaved: () => void) =>
        company.run({ username: source.username, ...fields }, onSaved),
    }
  return {
    pending: post.isPending,
    dialog: null,
    save: ({ mode: _, postsPerSync: __, ...fields }: ReturnType<typeof changes>, onSaved: () => void) =>
      post.mutate({ postUrl: source.postUrl ?? source.username, ...fields }, { onSuccess: onSaved }),
  }
}

type Fields = {
  readonly value: TrackSettings
  readonly faults: ReturnType<typeof settingFaults>
  readonly locked: Reason
  readonly onChange: (change: Partial<TrackSettings>) => void
}

function PeopleFields({ value, faults, locked, onChange }: Fields) {
  return (
    <>
      <TextField
        label="Most leads a sync"
        error={faults.cap}
        hint={`Empty: no limit. ${creditAPersonSaid}.`}
        inputMode="numeric"
        reason={locked}
        {...bound(value, onChange, 'cap')}
      />
      <Checkbox {...bound(value, onChange, 'replies')} reason={locked} label="Also people who reply to comments" />
      <Checkbox
        value={!value.enrich}
        reason={locked}
        onValue={(raw) => onChange({ enrich: !raw })}
        label="Raw mode: no enrichment"
        hint="Only for people captured from now on."
      />
    </>
  )
}

function ModeField({
  mode,
  locked,
  onMode,
}: {
  mode: TrackSettings['mode']
  locked: Reason
  onMode: (mode: TrackSettings['mode']) => void
}) {
  return (
    <SelectField
      label="What to capture"
      value={mode}
      reason={locked}
      onValue={onMode}
      choices={[
        { value: 'engagers', label: 'People who react and comment' },
        { value: 'posts_only', label: 'Only the posts, no people' },
      ]}
    />
  )
}

function AmountFields(fields: Fields) {
  const { value, faults, locked, onChange } = fields
  if (value.mode !== 'posts_only') return <PeopleFields {...fields} />
  return (
    <TextField
      label="Posts a sync"
      error={faults.posts}
      hint="One credit a post; a sync runs about once a day."
      inputMode="numeric"
      reason={locked}
      {...bound(value, onChange, 'posts')}
    />
  )
}

function Form({ source }: { source: Settings }) {
  const { value, before, change: set, saved } = useEdited(typed(source))
  const { save, pending, dialog } = useSave(source)
  const faults = settingFaults({ ...value, firstPosts: '', firstDays: '' })
  const fields = changes(value, before)
  const isActive = source.status === 'active'
  const refusal = useRefusal('member')
  const locked = refusal ?? (!isActive && 'This source is stopped: track it again first.')
  return (
    <form
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save(fields, saved)
      }}
    >
      {!isActive && <Notice>This source is stopped: track it again to change its settings.</Notice>}
      {isActive && refusal !== null && <Notice>Only members may change settings.</Notice>}
      {source.type !== 'post' && <ModeField mode={value.mode} locked={locked} onMode={(mode) => set({ mode })} />}
      <AmountFields value={value} faults={faults} locked={locked} onChange={set} />
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={pending}
          reason={
            locked ||
            (Object.keys(fields).length === 0 && 'Nothing has been changed.') ||
            (Object.keys(faults).length > 0 && 'Correct what is marked first.')
          }
        >
          Save
        </Button>
      </div>
      {dialog}
    </form>
  )
}

export function SettingsForm({ source }: { source: Health }) {
  const query = useSettings(source)
  return (
    <Card title="Settings" text="They hold from the next sync on. Saving charges nothing.">
      <Loaded query={query}>{(settings) => <Form key={source.id} source={settings} />}</Loaded>
    </Card>
  )
}
