import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Plug, Smartphone } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ask, send, useMe, type ResultOf } from '../../api/index.ts'
import { Button, type Reason } from '../../ui/button.tsx'
import { useForm } from '../../ui/edited.ts'
import { bound, Checkbox, SelectField, TextField } from '../../ui/field.tsx'
import { ConfirmButton } from '../../ui/form.tsx'
import { Badge, Card, Loaded } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { meQuery } from '../../api/me.ts'
import { inWords } from '../../shell/auth.tsx'
import { chooseTheme, themes, useTheme, type Theme } from '../../shell/theme.ts'
import { cleanName } from '../consent/request.ts'
import { Line } from './parts.tsx'

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^les-cli|curl|node/i, 'Command line'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
]

function deviceOf(userAgent: string | null | undefined): { readonly name: string; readonly phone: boolean } {
  const text = userAgent ?? ''
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(text))?.[1]
  const parts = [named(browsers), named(systems)].filter((part) => part !== undefined)
  return { name: parts.length > 0 ? parts.join(' on ') : 'Unknown device', phone: /iPhone|Android.*Mobile/.test(text) }
}

type Session = {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

const post = (path: string, body: object) => send('POST', `/app/api/auth/${path}`, body)

/** A write about the signed-in user, after which sessions, connected apps and the user are refreshed. */
function useOwn<I>(
  run: (input: I) => Promise<unknown>,
  done: string | ((input: I) => readonly [string, (string | undefined)?]),
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (_, input) => {
      toast.good(...(typeof done === 'string' ? ([done] as const) : done(input)))
      // Ending other sessions gives this one a new id.
      for (const queryKey of [['sessions'], ['connections'], meQuery.queryKey])
        void client.invalidateQueries({ queryKey })
    },
  })
}

const complain = { onError: (error: Error) => toast.bad(inWords(error)) }

function SessionRow({ session, isThis }: { session: Session; isThis: boolean }) {
  const end = useOwn((id: string) => post('revoke-session', { id }), 'The session was ended')
  const device = deviceOf(session.userAgent)
  return (
    <Line
      icon={device.phone ? Smartphone : Laptop}
      title={
        <>
          {device.name} {isThis && <Badge tone="info">this browser</Badge>}
        </>
      }
      text={
        <>
          Signed in <TimeAgo at={session.createdAt} /> · last used <TimeAgo at={session.updatedAt} />
          {session.ipAddress && ` · ${session.ipAddress}`}
        </>
      }
    >
      {!isThis && (
        <Button
          size="sm"
          busy={end.isPending}
          aria-label={`End the session of ${device.name}`}
          onClick={() => end.mutate(session.id, complain)}
        >
          End
        </Button>
      )}
    </Line>
  )
}

export function SessionsTab() {
  const { sessionId } = useMe()
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => send<readonly Session[]>('GET', '/app/api/auth/list-sessions', undefined, { signal }),
  })
  const endOthers = useOwn(
    () => post('revoke-other-sessions', {}),
    'All other sessions were ended, and your apps disconnected',
  )
  const isOther = ({ id }: Session) => Number(id !== sessionId)
  return (
    <Loaded query={query}>
      {(sessions) => (
        <Card
          flush
          title="Where you are signed in"
          text="End any session you do not recognise, then change your password. Ending all others disconnects your apps as well."
          actions={
            <Button
              busy={endOthers.isPending}
              reason={sessions.length < 2 && 'You are not signed in anywhere else.'}
              onClick={() => endOthers.mutate(undefined, complain)}
            >
              End all others
            </Button>
          }
        >
          <ul className="divide-y divide-line">
            {[...sessions]
              .sort((a, b) => isOther(a) - isOther(b) || b.updatedAt.localeCompare(a.updatedAt))
              .map((session) => (
                <SessionRow key={session.id} session={session} isThis={session.id === sessionId} />
              ))}
          </ul>
        </Card>
      )}
    </Loaded>
  )
}

function ConnectionRow({
  connection: { id, appName, team, since, redirectHosts },
}: {
  connection: ResultOf<'listConnections'>['connections'][number]
}) {
  const name = cleanName(appName)
  const end = useOwn(() => ask('revokeConnection', { id }), 'The access was ended')
  return (
    <Line
      icon={Plug}
      title={<bdi className="break-words">{name}</bdi>}
      text={
        <>
          For {team.name} · allowed <TimeAgo at={since} /> · {redirectHosts.join(', ')}
        </>
      }
    >
      <ConfirmButton
        needs="viewer"
        size="sm"
        aria-label={`End the access of ${name}`}
        title={`End the access of ${name}?`}
        text={`It loses its access to ${team.name} at once. To use it again, sign in from it again.`}
        confirm="End the access"
        onConfirm={() => end.mutateAsync()}
      >
        End
      </ConfirmButton>
    </Line>
  )
}

export function Connections() {
  const query = useQuery({
    queryKey: ['connections'],
    queryFn: ({ signal }) => ask('listConnections', {}, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ connections }) => (
        <Card flush title="Connected apps" text="Apps such as agent tools that you let act for a team.">
          {connections.length === 0 ? (
            <p className="px-4 py-3 text-sm text-muted">
              None. An app asks you when you add the address of the agent tools to it.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {connections.map((connection) => (
                <ConnectionRow key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  )
}

type FormCardProps = {
  title: string
  submit: string
  busy: boolean
  reason?: Reason
  onSubmit: () => void
  children: ReactNode
}

function FormCard({ title, submit, busy, reason, onSubmit, children }: FormCardProps) {
  return (
    <Card title={title}>
      <form
        className="flex flex-col items-start gap-4 *:[div]:w-full"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <Button type="submit" busy={busy} reason={reason}>
          {submit}
        </Button>
      </form>
    </Card>
  )
}

function Name() {
  const { user } = useMe()
  const [name, setName] = useState(user.name)
  const save = useOwn(() => post('update-user', { name: name.trim() }), 'Your name was changed')
  return (
    <FormCard
      title="You"
      submit="Save the name"
      busy={save.isPending}
      reason={name.trim() === '' ? 'Type a name first.' : name.trim() === user.name && 'That is your name already.'}
      onSubmit={() => save.mutate()}
    >
      <TextField label="Email" value={user.email} readOnly autoComplete="username" />
      <TextField
        label="Name"
        error={save.error && inWords(save.error)}
        required
        maxLength={100}
        autoComplete="name"
        value={name}
        onValue={setName}
      />
    </FormCard>
  )
}

const noPassword = { currentPassword: '', newPassword: '', revokeOtherSessions: true }

function Password() {
  const [form, set] = useForm(noPassword)
  const change = useOwn(
    (body: typeof form) => post('change-password', body),
    ({ revokeOtherSessions }) => [
      'Your password was changed',
      revokeOtherSessions ? 'All your other sessions were ended, and your apps disconnected.' : undefined,
    ],
  )
  const submit = () => change.mutate(form, { onSuccess: () => set({ currentPassword: '', newPassword: '' }) })
  return (
    <FormCard title="Password" submit="Change the password" busy={change.isPending} onSubmit={submit}>
      <TextField
        label="Password now"
        error={change.error && inWords(change.error)}
        type="password"
        required
        maxLength={200}
        autoComplete="current-password"
        {...bound(form, set, 'currentPassword')}
      />
      <TextField
        label="New password"
        hint="At least 10 characters."
        type="password"
        required
        minLength={10}
        maxLength={200}
        autoComplete="new-password"
        {...bound(form, set, 'newPassword')}
      />
      <Checkbox
        {...bound(form, set, 'revokeOtherSessions')}
        label="End all my other sessions, and disconnect my apps"
      />
      <p className="text-[0.8125rem] text-muted">
        API keys keep working, including those a command line made (<code>les auth login</code>): owners revoke them
        under API keys.
      </p>
    </FormCard>
  )
}

const themeWords: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'As the system' }

export function AccountTab() {
  const theme = useTheme()
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Name />
      <Password />
      <Card title="Appearance" text="For this browser.">
        <SelectField
          label="Theme"
          value={theme}
          onValue={chooseTheme}
          choices={themes.map((value) => ({ value, label: themeWords[value] }))}
        />
      </Card>
    </div>
  )
}
