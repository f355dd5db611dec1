import { teamStates, type TeamRole } from '@les/contract'
import { useQueryClient } from '@tanstack/react-query'
import { LogOut, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useTeam, useWrite, type ResultOf } from '../../api/index.ts'
import { RoleButton, useRefusal } from '../../ui/button.tsx'
import { actsColumn, column, TwoLines, whenColumn, type Column } from '../../ui/columns.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { ActButton, choicesOf, WriteDialog, type FormField } from '../../ui/form.tsx'
import { count, day, planName } from '../../ui/format.ts'
import { ListCard } from '../../ui/list-card.tsx'
import { Badge, Card, Figures, Loaded, Meter, Notice, SaidBadge, Stats } from '../../ui/show.tsx'
import { TimeUntil } from '../../ui/text.tsx'
import { meQuery } from '../../api/me.ts'
import { useAdding } from './parts.tsx'

type Role = TeamRole

const roleWords: Readonly<Record<Role, string>> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' }

const roles = choicesOf(roleWords)

const what: Readonly<Record<Role, string>> = {
  viewer: 'Can see everything except secrets, but change nothing.',
  member: 'Can set up sources, searches and agents, send leads, and spend credits.',
  owner: 'Can do everything, including keys, members and the name of the team.',
}

const inviteFields: readonly FormField<{ email: string; role: Role }>[] = [
  { name: 'email', label: 'Email', type: 'email', required: true, maxLength: 254, autoComplete: 'off' },
  { name: 'role', label: 'Role', hint: ({ role }) => what[role], choices: roles },
]

type Member = ResultOf<'listMembers'>['members'][number]
type Invitation = ResultOf<'listMembers'>['invitations'][number]

function RolePicker({ member }: { member: Member }) {
  const refusal = useRefusal('owner')
  const change = useWrite('changeMemberRole', { done: 'The role was changed' })
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

const memberColumns: readonly Column<Member>[] = [
  column('Name', { sortBy: (row) => row.name }, (row) => (
    <TwoLines
      first={
        <>
          {row.name} {row.you && <Badge tone="info">you</Badge>}
        </>
      }
      second={row.email}
    />
  )),
  column('Role', (row) => <RolePicker member={row} />),
  whenColumn('Member since', (row) => row.since),
  actsColumn(
    'Remove',
    ({ you, name, userId }) =>
      !you && (
        <ActButton
          needs="owner"
          size="sm"
          does="removeMember"
          input={{ userId }}
          done={`${name} was removed`}
          asks={{
            title: `Remove ${name}?`,
            text: 'They can no longer see this team. What they have set up stays.',
            confirm: 'Remove',
          }}
        >
          Remove
        </ActButton>
      ),
  ),
]

const invitationColumns: readonly Column<Invitation>[] = [
  column('Invited', (row) => <span className="break-all">{row.email}</span>),
  column('As', (row) => roleWords[row.role]),
  column('By', (row) => row.invitedBy),
  column('Link ends', (row) => <TimeUntil at={row.expiresAt} />),
  actsColumn('Take back', ({ id }) => (
    <ActButton needs="owner" size="sm" does="cancelInvitation" input={{ id }} done="The invitation was taken back">
      Take back
    </ActButton>
  )),
]

export function MembersTab() {
  const [inviting, setInviting] = useAdding()
  const { name, can } = useTeam()
  const query = useRead('listMembers', {})
  return (
    <Loaded query={query}>
      {({ members, invitations }) => (
        <div className="flex flex-col gap-5">
          <ListCard
            title="Members"
            text="Viewers read, members work with sources and leads, owners also manage keys and people."
            actions={
              <RoleButton needs="owner" variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
                Invite
              </RoleButton>
            }
            label="Members"
            columns={memberColumns}
            rows={members}
            rowId={(row) => row.userId}
          />
          {invitations.length > 0 && (
            <ListCard
              title="Open invitations"
              label="Open invitations"
              columns={invitationColumns}
              rows={invitations}
            />
          )}
          <div>
            <ActButton
              needs="viewer"
              icon={LogOut}
              does="leaveTeam"
              input={{}}
              onDone={() => location.assign('/')}
              asks={{
                title: `Leave ${name}?`,
                text: 'You can come back only if an owner invites you again.',
                confirm: 'Leave',
              }}
            >
              Leave the team
            </ActButton>
          </div>
          {inviting && can('owner') && (
            <WriteDialog
              onClose={() => setInviting(false)}
              size="sm"
              title="Invite somebody"
              text="They get a mail with a link that is valid for 7 days."
              submit="Send the invitation"
              does="inviteMember"
              start={{ email: '', role: 'member' }}
              fields={inviteFields}
              inputOf={(form) => form}
              errorAt="email"
              done="The invitation was sent"
            />
          )}
        </div>
      )}
    </Loaded>
  )
}

type Settings = ResultOf<'getSettings'>

function Name({ name }: { name: string }) {
  const client = useQueryClient()
  const { can } = useTeam()
  const [text, setText] = useState(name)
  const rename = useWrite('renameTeam', {
    done: 'The team was renamed',
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
  })
  return (
    <Card title="Name">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (can('owner') && text.trim() !== '' && text.trim() !== name) rename.mutate({ name: text })
        }}
      >
        <TextField
          label="Name of the team"
          className="min-w-48 flex-1"
          value={text}
          maxLength={200}
          readOnly={!can('owner')}
          onValue={setText}
        />
        <RoleButton
          needs="owner"
          type="submit"
          busy={rename.isPending}
          reason={text.trim() === '' ? 'Type a name first.' : text.trim() === name && 'That is its name already.'}
        >
          Rename
        </RoleButton>
      </form>
    </Card>
  )
}

function Status({ team }: { team: Settings['team'] }) {
  if (team.status === 'expired')
    return (
      <Notice tone="bad" title="The subscription of this team has ended">
        Nothing is captured, shown or sent until it subscribes; what was captured is kept. Ask the operator of this
        service to extend it.
      </Notice>
    )
  if (team.status === 'trial')
    return (
      <Notice tone="info" title={team.trialEndsAt ? `Free trial until ${day(team.trialEndsAt)}` : 'Free trial'}>
        {team.captureAllowed
          ? 'Sources are synced and people are captured as on a paid plan, within the trial’s allowance.'
          : 'People are captured once the team subscribes.'}
      </Notice>
    )
  return team.captureAllowed ? null : (
    <Notice tone="warn">The plan does not allow capture: sources are kept, but not synced.</Notice>
  )
}

export function TeamTab() {
  const query = useRead('getSettings', {})
  return (
    <Loaded query={query} lines={8}>
      {({ team, credits }) => (
        <div className="flex flex-col gap-5">
          <Status team={team} />
          <Stats
            stats={[
              ['Plan', planName(team.plan), <SaidBadge key="status" said={teamStates[team.status]} />],
              ['Credits left', count(credits.balance), `They renew on ${day(credits.nextReset)}`],
              ['Team since', day(team.createdAt)],
            ]}
          />
          <Card title="Credits of this period">
            <Meter
              label="Used"
              value={credits.used}
              max={credits.limit}
              tone={credits.used >= credits.limit ? 'bad' : 'good'}
            />
          </Card>
          <Name key={team.name} name={team.name} />
          <Card title="Limits">
            <Figures
              figures={[
                ['Leads the team may hold', team.leadCap === null ? 'no limit' : count(team.leadCap)],
                ['Credits all keyword searches may use a day', count(team.keywordDailyCeiling)],
                ['API reads a minute', count(team.limits.reads)],
                ['API writes a minute', count(team.limits.writes)],
                ['Live reads of posts a minute', count(team.limits.untrackedPosts)],
              ]}
            />
          </Card>
        </div>
      )}
    </Loaded>
  )
}
