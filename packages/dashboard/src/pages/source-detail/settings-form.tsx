import { useRead, useWrite } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { useEdited } from '../../ui/edited.ts'
import { SaveForm } from '../../ui/form.tsx'
import { Card, Loaded, Notice } from '../../ui/show.tsx'
import { useSpend } from '../../ui/spend.tsx'
import { RuleForm } from '../outreach/rule-form.tsx'
import { settingFaults, startSettings, TrackSettingsForm, type TrackSettings } from '../sources/track-settings.tsx'
import { useSettings, type Health, type Settings } from './source.ts'

export function OutreachRule({ source }: { source: Health }) {
  const query = useRead('getSourceOutreach', { id: source.id }, { staleTime: 60_000 })
  return (
    <Card
      title="Outreach"
      text="Leads that match are sent automatically to a campaign of your outreach platform, each person once."
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

/** The changed fields: naming an unchanged mode would ask for consent again. */
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

type Changes = ReturnType<typeof changes>

/** Saves by the operation of the source's kind; asks first where it costs. */
function useSave({ type, username, postUrl }: Settings) {
  const settings = { done: 'Saved; it applies from the next sync' }
  const person = useSpend(useWrite('editProfile', settings))
  const company = useSpend(useWrite('editCompany', settings))
  const post = useWrite('trackPost', settings)
  const profile = type === 'person' ? person : company
  if (type !== 'post')
    return {
      pending: profile.pending,
      dialog: profile.dialog,
      save: (fields: Changes, onSaved: () => void) => profile.run({ username, ...fields }, onSaved),
    }
  return {
    pending: post.isPending,
    dialog: null,
    save: ({ mode: _, postsPerSync: __, ...fields }: Changes, onSaved: () => void) =>
      post.mutate({ postUrl: postUrl ?? username, ...fields }, { onSuccess: onSaved }),
  }
}

function Form({ source }: { source: Settings }) {
  const { value, before, change, saved } = useEdited(typed(source))
  const { save, pending, dialog } = useSave(source)
  const faults = settingFaults({ ...value, firstPosts: '', firstDays: '' })
  const fields = changes(value, before)
  const isActive = source.status === 'active'
  const refusal = useRefusal()
  const locked = refusal ?? (!isActive && 'This source is stopped: track it again first.')
  return (
    <SaveForm
      className="max-w-xl"
      busy={pending}
      reason={
        locked ||
        (Object.keys(fields).length === 0 && 'Nothing was changed.') ||
        (Object.keys(faults).length > 0 && 'Correct the marked fields first.')
      }
      onSave={() => save(fields, saved)}
    >
      {!isActive && <Notice>This source is stopped: track it again to change its settings.</Notice>}
      {isActive && refusal !== null && <Notice>Only members may change settings.</Notice>}
      <TrackSettingsForm value={value} onChange={change} modes={source.type !== 'post'} isNew={false} reason={locked} />
      {dialog}
    </SaveForm>
  )
}

export function SettingsForm({ source }: { source: Health }) {
  const query = useSettings(source)
  return (
    <Card title="Settings" text="They apply from the next sync. Saving costs nothing.">
      <Loaded query={query}>{(settings) => <Form key={source.id} source={settings} />}</Loaded>
    </Card>
  )
}
