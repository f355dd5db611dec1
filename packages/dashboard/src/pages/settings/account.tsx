import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { send, useMe } from '../../api/index.ts'
import { meQuery } from '../../api/me.ts'
import { inWords } from '../../shell/auth.ts'
import { chooseTheme, themes, useTheme, type Theme } from '../../shell/theme.ts'
import { Button, Card, Checkbox, Field, Input, Select, toast } from '../../ui/index.ts'

const post = (path: string, body: object) => send('POST', `/app/api/auth/${path}`, body)

function Name(): ReactNode {
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
        <Field label="Email">
          <Input value={user.email} readOnly autoComplete="username" />
        </Field>
        <Field label="Name" error={save.error && inWords(save.error)}>
          <Input
            required
            maxLength={100}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
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

function PasswordField({ label, hint, error, onValue, ...input }: PasswordFieldProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      <Input type="password" required maxLength={200} {...input} onChange={(event) => onValue(event.target.value)} />
    </Field>
  )
}

/** What is typed, and the act that changes the password. */
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

function Password(): ReactNode {
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
        <Checkbox
          checked={endOthers}
          onChecked={setEndOthers}
          label="End all my other sessions, and disconnect my apps"
        />
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

/** The person's own account: name, password, theme. */
export function AccountTab(): ReactNode {
  const theme = useTheme()
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Name />
      <Password />
      <Card title="Appearance" text="For this browser.">
        <Field label="Theme">
          <Select
            value={theme}
            onValue={chooseTheme}
            choices={themes.map((value) => ({ value, label: themeWords[value] }))}
          />
        </Field>
      </Card>
    </div>
  )
}
