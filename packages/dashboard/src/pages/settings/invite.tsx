import { useState, type ReactNode } from 'react'
import { useSessionMutation } from '../../api/index.ts'
import { Button, Dialog, Field, Input, Select } from '../../ui/index.ts'
import { roles, type Role } from './roles.ts'

const what: Readonly<Record<Role, string>> = {
  viewer: 'Sees everything but secrets, changes nothing.',
  member: 'Sets up sources, searches and agents, sends leads, and may spend credits.',
  owner: 'May do everything, also keys, members and the name of the team.',
}

/** Who is invited, as what, and the act that sends the mail and then closes the window. */
function useInvite(onSent: () => void) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const invite = useSessionMutation('inviteMember', {
    quiet: true,
    done: 'The invitation was sent',
    refreshes: ['people'],
    onSuccess: () => {
      setEmail('')
      onSent()
    },
  })
  return { email, setEmail, role, setRole, invite }
}

/** Invites somebody to the team by mail. */
export function InviteDialog({
  open,
  onOpen,
}: {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const { email, setEmail, role, setRole, invite } = useInvite(() => onOpen(false))
  return (
    <Dialog
      open={open}
      onOpen={onOpen}
      size="sm"
      title="Invite somebody"
      text="They get a mail with a link that is good for 7 days."
      actions={
        <>
          <Button onClick={() => onOpen(false)}>Cancel</Button>
          <Button variant="primary" type="submit" form="invite" busy={invite.isPending}>
            Send the invitation
          </Button>
        </>
      }
    >
      <form
        id="invite"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate({ email, role })
        }}
      >
        <Field label="Email" error={invite.error?.message}>
          <Input
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label="Role" hint={what[role]}>
          <Select value={role} onValue={setRole} choices={roles} />
        </Field>
      </form>
    </Dialog>
  )
}
