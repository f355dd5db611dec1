import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Plug, Smartphone } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { api, send, useMe, type SessionResult } from '../../api/index.ts'
import { meQuery } from '../../api/me.ts'
import { inWords } from '../../shell/auth.tsx'
import { chooseTheme, themes, useTheme, type Theme } from '../../shell/theme.ts'
import {
  Badge,
  Button,
  Card,
  Checkbox,
  ConfirmDialog,
  Field,
  Input,
  Loaded,
  TimeAgo,
  toast,
  TextField,
  SelectField,
} from '../../ui/index.ts'
import { cleanName } from '../consent/request.ts'

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

const queryKey = ['sessions'] as const

function useEnding(path: string, done: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: object) => send('POST', `/app/api/auth/${path}`, body),
    onSuccess: () => {
      toast.good(done)
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: ['connections'] })
    },
    onError: (error) => toast.bad(inWords(error)),
  })
}

function Row({ session, isThis }: { session: Session; isThis: boolean }) {
  const end = useEnding('revoke-session', 'The session was ended')
  const device = deviceOf(session.userAgent)
  const Icon = device.phone ? Smartphone : Laptop
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Icon aria-hidden="true" size={20} className="shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="text-sm font-medium">
            {device.name} {isThis && <Badge tone="info">this browser</Badge>}
          </p>
          <p className="text-[0.8125rem] text-muted">
            Signed in <TimeAgo at={session.createdAt} /> · last used <TimeAgo at={session.updatedAt} />
            {session.ipAddress && ` · ${session.ipAddress}`}
          </p>
        </div>
      </div>
      {!isThis && (
        <Button
          size="sm"
          busy={end.isPending}
          aria-label={`End the session of ${device.name}`}
          onClick={() => end.mutate({ id: session.id })}
        >
          End
        </Button>
      )}
    </li>
  )
}

export function SessionsTab() {
  const { sessionId } = useMe()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => send<readonly Session[]>('GET', '/app/api/auth/list-sessions', undefined, { signal }),
  })
  const endOthers = useEnding('revoke-other-sessions', 'All other sessions were ended, and your apps disconnected')
  return (
    <Loaded query={query}>
      {(sessions) => (
        <Card
          flush
          title="Where you are signed in"
          text="End a session that you do not know, then change your password. Ending all others disconnects your apps as well."
          actions={
            <Button
              busy={endOthers.isPending}
              reason={sessions.length < 2 && 'You are signed in nowhere else.'}
              onClick={() => endOthers.mutate({})}
            >
              End all others
            </Button>
          }
        >
          <ul className="divide-y divide-line">
            {[...sessions]
              .sort(
                (a, b) =>
                  Number(b.id === sessionId) - Number(a.id === sessionId) || b.updatedAt.localeCompare(a.updatedAt),
              )
              .map((session) => (
                <Row key={session.id} session={session} isThis={session.id === sessionId} />
              ))}
          </ul>
        </Card>
      )}
    </Loaded>
  )
}

type Connection = SessionResult<'listConnections'>['connections'][number]

const connectionsKey = ['connections'] as const

function ConnectionRow({ connection }: { connection: Connection }) {
  const client = useQueryClient()
  const [asks, setAsks] = useState(false)
  const name = cleanName(connection.appName)
  const end = useMutation({
    mutationFn: () => api.session('revokeConnection', { id: connection.id }),
    onSuccess: () => {
      toast.good('The access was ended')
      void client.invalidateQueries({ queryKey: connectionsKey })
    },
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <Plug aria-hidden="true" size={20} className="shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="text-sm font-medium">
            <bdi className="break-words">{name}</bdi>
          </p>
          <p className="text-[0.8125rem] text-muted">
            For {connection.team.name} · allowed <TimeAgo at={connection.since} /> ·{' '}
            {connection.redirectHosts.join(', ')}
          </p>
        </div>
      </div>
      <Button size="sm" aria-label={`End the access of ${name}`} onClick={() => setAsks(true)}>
        End
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`End the access of ${name}?`}
        text={`It can do nothing more for ${connection.team.name}, at once. To use it again you sign in from it anew.`}
        confirm="End the access"
        danger
        onConfirm={() => end.mutateAsync()}
      />
    </li>
  )
}

export function Connections() {
  const query = useQuery({
    queryKey: connectionsKey,
    queryFn: ({ signal }) => api.session('listConnections', {}, { signal }),
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

const post = (path: string, body: object) => send('POST', `/app/api/auth/${path}`, body)

function Name() {
  const { user } = useMe()
  const client = useQueryClient()
  const [name, setName] = useState(user.name)
  const save = useMutation({
    mutationFn: () => post('update-user', { name: name.trim() }),
    onSuccess: () => {
      toast.good('Your name was changed')
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  return (
    <Card title="You">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
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
        <div>
          <Button
            type="submit"
            busy={save.isPending}
            reason={
              name.trim() === '' ? 'Type a name first.' : name.trim() === user.name && 'That is your name already.'
            }
          >
            Save the name
          </Button>
        </div>
      </form>
    </Card>
  )
}

type PasswordFieldProps = Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'error'> &
  Pick<ComponentProps<typeof Input>, 'autoComplete' | 'minLength'> & {
    readonly value: string
    readonly onValue: (value: string) => void
  }

function PasswordField({ label, hint, error, onValue, ...input }: PasswordFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input type="password" required maxLength={200} {...input} onChange={(event) => onValue(event.target.value)} />
    </Field>
  )
}

function usePassword() {
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [endOthers, setEndOthers] = useState(true)
  const change = useMutation({
    mutationFn: () =>
      post('change-password', { currentPassword: current, newPassword: next, revokeOtherSessions: endOthers }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      toast.good(
        'Your password was changed',
        endOthers ? 'All your other sessions were ended, and your apps disconnected.' : undefined,
      )
      void client.invalidateQueries({ queryKey: ['sessions'] })
      void client.invalidateQueries({ queryKey: ['connections'] })
      // Ending the others renews this one: its id is another.
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  return { current, setCurrent, next, setNext, endOthers, setEndOthers, change }
}

function Password() {
  const { current, setCurrent, next, setNext, endOthers, setEndOthers, change } = usePassword()
  return (
    <Card title="Password">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <PasswordField
          label="Password now"
          error={change.error && inWords(change.error)}
          autoComplete="current-password"
          value={current}
          onValue={setCurrent}
        />
        <PasswordField
          label="New password"
          hint="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          value={next}
          onValue={setNext}
        />
        <Checkbox value={endOthers} onValue={setEndOthers} label="End all my other sessions, and disconnect my apps" />
        <p className="text-[0.8125rem] text-muted">
          API keys go on, also those that a command line made (<code>les auth login</code>): owners revoke them under
          API keys.
        </p>
        <div>
          <Button type="submit" busy={change.isPending}>
            Change the password
          </Button>
        </div>
      </form>
    </Card>
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
