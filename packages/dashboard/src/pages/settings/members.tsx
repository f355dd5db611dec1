import { LogOut, UserPlus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSessionMutation, useSessionQuery, useTeam, type SessionResult } from '../../api/index.ts'
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  DataTable,
  Loaded,
  RoleButton,
  Select,
  TimeAgo,
  TimeUntil,
  useRefusal,
  type Column,
} from '../../ui/index.ts'
import { InviteDialog } from './invite.tsx'
import { roles, roleWords, type Role } from './roles.ts'
import { useAdding } from './use-adding.ts'

type Member = SessionResult<'listMembers'>['members'][number]
type Invitation = SessionResult<'listMembers'>['invitations'][number]

function RolePicker({ member }: { readonly member: Member }): ReactNode {
  const refusal = useRefusal('owner')
  const change = useSessionMutation('changeMemberRole', {
    done: 'The role was changed',
    refreshes: ['people', 'settings'],
  })
  if (refusal !== null) return <span data-tip={refusal}>{roleWords[member.role]}</span>
  return (
    <Select<Role>
      aria-label={`Role of ${member.name}`}
      value={member.role}
      reason={change.isPending && 'The change is being saved.'}
      onValue={(role) => change.mutate({ userId: member.userId, role })}
      choices={roles}
      className="min-w-28"
    />
  )
}

function Remove({ member }: { readonly member: Member }): ReactNode {
  const [asking, setAsking] = useState(false)
  const remove = useSessionMutation('removeMember', {
    quiet: true,
    done: `${member.name} was removed`,
    refreshes: ['people'],
  })
  if (member.you) return null
  return (
    <>
      <RoleButton needs="owner" size="sm" onClick={() => setAsking(true)}>
        Remove
      </RoleButton>
      <ConfirmDialog
        open={asking}
        onOpen={setAsking}
        danger
        title={`Remove ${member.name}?`}
        text="They can no longer see this team. What they have set up stays."
        confirm="Remove"
        onConfirm={() => remove.mutateAsync({ userId: member.userId })}
      />
    </>
  )
}

function TakeBack({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const cancel = useSessionMutation('cancelInvitation', {
    done: 'The invitation was taken back',
    refreshes: ['people'],
  })
  return (
    <RoleButton needs="owner" size="sm" busy={cancel.isPending} onClick={() => cancel.mutate({ id: invitation.id })}>
      Take back
    </RoleButton>
  )
}

const memberColumns: readonly Column<Member>[] = [
  {
    id: 'name',
    header: 'Name',
    sortBy: (row) => row.name,
    cell: (row) => (
      <div>
        <p className="font-medium">
          {row.name} {row.you && <Badge tone="info">you</Badge>}
        </p>
        <p className="text-[0.8125rem] break-all text-muted">{row.email}</p>
      </div>
    ),
  },
  { id: 'role', header: 'Role', cell: (row) => <RolePicker member={row} /> },
  {
    id: 'since',
    header: 'Member since',
    wide: true,
    sortBy: (row) => row.since,
    cell: (row) => <TimeAgo at={row.since} />,
  },
  { id: 'remove', header: 'Remove', hideHeader: true, align: 'end', cell: (row) => <Remove member={row} /> },
]

const invitationColumns: readonly Column<Invitation>[] = [
  { id: 'email', header: 'Invited', cell: (row) => <span className="break-all">{row.email}</span> },
  { id: 'role', header: 'As', cell: (row) => roleWords[row.role] },
  { id: 'by', header: 'By', wide: true, cell: (row) => row.invitedBy },
  { id: 'ends', header: 'Link ends', wide: true, cell: (row) => <TimeUntil at={row.expiresAt} /> },
  { id: 'cancel', header: 'Take back', hideHeader: true, align: 'end', cell: (row) => <TakeBack invitation={row} /> },
]

function Leave(): ReactNode {
  const { name } = useTeam()
  const [asking, setAsking] = useState(false)
  const leave = useSessionMutation('leaveTeam', { quiet: true, onSuccess: () => location.assign('/') })
  return (
    <>
      <Button icon={<LogOut aria-hidden="true" size={16} />} onClick={() => setAsking(true)}>
        Leave the team
      </Button>
      <ConfirmDialog
        open={asking}
        onOpen={setAsking}
        danger
        title={`Leave ${name}?`}
        text="You can come back only if an owner invites you again."
        confirm="Leave"
        onConfirm={() => leave.mutateAsync({})}
      />
    </>
  )
}

/** Who is in the team, who is invited, and what each may do. */
export function MembersTab(): ReactNode {
  const [inviting, setInviting] = useAdding()
  const { can } = useTeam()
  const query = useSessionQuery('listMembers', {}, { topic: 'people' })
  return (
    <Loaded query={query}>
      {({ members, invitations }) => (
        <div className="flex flex-col gap-5">
          <Card
            flush
            title="Members"
            text="Viewers read, members work with sources and leads, owners also manage keys and people."
            actions={
              <RoleButton
                needs="owner"
                variant="primary"
                icon={<UserPlus aria-hidden="true" size={16} />}
                onClick={() => setInviting(true)}
              >
                Invite
              </RoleButton>
            }
          >
            <DataTable label="Members" columns={memberColumns} rows={members} rowId={(row) => row.userId} />
          </Card>
          {invitations.length > 0 && (
            <Card flush title="Open invitations">
              <DataTable
                label="Open invitations"
                columns={invitationColumns}
                rows={invitations}
                rowId={(row) => row.id}
              />
            </Card>
          )}
          <div>
            <Leave />
          </div>
          <InviteDialog open={inviting && can('owner')} onOpen={setInviting} />
        </div>
      )}
    </Loaded>
  )
}
