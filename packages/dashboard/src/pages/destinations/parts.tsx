import { ApiError, useWrite } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { ActButton, FormDialog, FormFields, WindowButton } from '../../ui/form.tsx'
import { Failure, Notice, SaidBadge } from '../../ui/show.tsx'
import { SafeLink } from '../../ui/text.tsx'
import { blank, credentialsOf, kindsInWords, type Destination } from './kinds.ts'
import { pauseWords, stateWords } from './words.ts'

export function StateBadge({ destination: { state } }: { destination: Destination }) {
  return <SaidBadge said={stateWords[state]} />
}

export function Refused({ error }: { error: Error | null }) {
  const missing = error instanceof ApiError && Array.isArray(error.body.missing) ? error.body.missing : []
  if (error === null || missing.length === 0) return <Failure error={error} />
  return (
    <Notice tone="bad" title={error.message}>
      <p>Missing on the platform:</p>
      <ul className="list-disc pl-5">
        {missing.map(String).map((name) => (
          <li key={name}>
            <code className="break-all">{name}</code>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Asks for new credentials, has them checked, and resumes. */
export function CredentialsDialog({ destination, onClose }: { destination: Destination; onClose: () => void }) {
  const { id, kind, name } = destination
  const [form, change] = useForm(blank)
  const save = useWrite('updateDestination', {
    quiet: true,
    also: ['slow'],
    done: 'Stored: waiting leads are delivered',
    onSuccess: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`New credentials of ${name}`}
      text="They are checked before they are stored, and never shown again."
      submit="Check, store and resume"
      busy={save.isPending}
      onSubmit={() => save.mutate({ id, credentials: credentialsOf(kind, form) ?? {}, active: true })}
    >
      <FormFields fields={kindsInWords[kind].credentials} form={form} onChange={change} />
      <Refused error={save.error} />
    </FormDialog>
  )
}

/** The button that resumes a paused destination; nothing while it delivers or will resume by itself. */
export function ResumeButton({ destination, size = 'md' }: { destination: Destination; size?: 'sm' | 'md' }) {
  const { id, kind, pausedReason } = destination
  const pause = pausedReason === null ? undefined : pauseWords[pausedReason]
  if (pause?.button === undefined) return null
  const button = { variant: 'primary', size, children: pause.button } as const
  return pause.asksCredentials && kindsInWords[kind].credentials.length > 0 ? (
    <WindowButton {...button} opens={(close) => <CredentialsDialog destination={destination} onClose={close} />} />
  ) : (
    <ActButton
      {...button}
      does="updateDestination"
      input={{ id, active: true }}
      done="Resumed: waiting leads are delivered"
    />
  )
}

/** Delivers a marked sample about nobody, and shows the platform's answer. */
export function TestLead({ destination: { id, kind } }: { destination: Destination }) {
  const test = useWrite('testDestination', { quiet: true })
  const { data } = test
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      <p className="text-sm text-muted">
        An invented lead, marked as a sample, is sent to {kindsInWords[kind].label} now. Delete it there whenever you
        like.
      </p>
      <div>
        <RoleButton busy={test.isPending} onClick={() => test.mutate({ id })}>
          Send a test lead
        </RoleButton>
      </div>
      {data?.delivered && (
        <Notice tone="good" title="It arrived">
          {data.remoteUrl && <SafeLink href={data.remoteUrl}>Open it on the platform</SafeLink>}
        </Notice>
      )}
      {data?.error && (
        <Notice tone="bad" title="It did not arrive">
          {data.error.message}
          {data.error.field && (
            <>
              {' '}
              Field: <code>{data.error.field}</code>
            </>
          )}
        </Notice>
      )}
      <Refused error={test.error} />
    </div>
  )
}
