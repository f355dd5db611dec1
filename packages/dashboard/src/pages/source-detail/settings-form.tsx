import { useRead, useWrite } from '../../api/index.ts'
import { useRefusal } from '../../ui/button.tsx'
import { numberOrNull, useEdited } from '../../ui/edited.ts'
import { FormFields, SaveForm } from '../../ui/form.tsx'
import { Card, Loaded, Notice } from '../../ui/show.tsx'
import { useSpend } from '../../ui/spend.tsx'
import { RuleForm } from '../outreach/rule-form.tsx'
import { isGood, startSettings, trackFields, type TrackSettings } from '../sources/settings.tsx'
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
  raw: !source.enrichLeads,
})

/** The changed fields: naming an unchanged mode would ask for consent again. */
function changes(now: TrackSettings, before: TrackSettings) {
  const posts = now.mode === 'posts_only' && (before.mode !== 'posts_only' || now.posts !== before.posts)
  return {
    ...(now.cap === before.cap ? {} : { creditCapPerSync: numberOrNull(now.cap) }),
    ...(now.replies === before.replies ? {} : { captureReplies: now.replies }),
    ...(now.raw === before.raw ? {} : { enrichLeads: !now.raw }),
    ...(now.mode === before.mode && !posts ? {} : { mode: now.mode }),
    ...(posts ? { postsPerSync: Number(now.posts) } : {}),
  }
}

/** The operation of the source's kind and what it calls the source; the three take the same settings. */
function editOf({ type, username, postUrl }: Settings) {
  const operation = type === 'post' ? 'trackPost' : type === 'company' ? 'editCompany' : 'editProfile'
  const named = type === 'post' ? { postUrl: postUrl ?? username } : { username }
  return { operation: operation as 'editProfile', named: named as { username: string } }
}

function Form({ source }: { source: Settings }) {
  const { operation, named } = editOf(source)
  const { value, before, change, saved } = useEdited(typed(source))
  const save = useSpend(useWrite(operation, { done: 'Saved; it applies from the next sync' }))
  const fields = trackFields({ modes: source.type !== 'post', isNew: false })
  const edits = changes(value, before)
  const isActive = source.status === 'active'
  const refusal = useRefusal()
  const locked = refusal ?? (!isActive && 'This source is stopped: track it again first.')
  return (
    <SaveForm
      className="max-w-xl"
      busy={save.pending}
      reason={
        locked ||
        (Object.keys(edits).length === 0 && 'Nothing was changed.') ||
        (!isGood(fields, value) && 'Correct the marked fields first.')
      }
      onSave={() => save.run({ ...named, ...edits }, saved)}
    >
      {!isActive && <Notice>This source is stopped: track it again to change its settings.</Notice>}
      {isActive && refusal !== null && <Notice>Only members may change settings.</Notice>}
      <div className="grid gap-4 sm:grid-cols-2">
        <FormFields fields={fields} form={value} onChange={change} reason={locked} isTried />
      </div>
      {save.dialog}
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
