import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { ask } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import type { ResultOf } from '../../api/types.ts'
import { AuthFrame, AuthWaiting, DeadEnd, mayDo, SignedInAs } from '../../shell/auth.tsx'
import { switchTeam } from '../../shell/leave.ts'
import { Button } from '../../ui/button.tsx'
import { day } from '../../ui/format.ts'
import { Notice } from '../../ui/show.tsx'

type Invitation = ResultOf<'readInvitation'>

function Join({ token, email }: { token: string; email: string }) {
  const { user } = useMe()
  const accept = useMutation({
    mutationFn: () => ask('acceptInvitation', { token }),
    onSuccess: ({ team }) => switchTeam(team.id),
  })
  const isMine = email.toLowerCase() === user.email.toLowerCase()
  return (
    <div className="flex flex-col gap-4">
      {!isMine && <Notice tone="warn">The invitation is for {email}. Sign in with that address to accept it.</Notice>}
      {accept.error && <Notice tone="bad">{accept.error.message}</Notice>}
      <Button
        variant="primary"
        size="lg"
        reason={!isMine && `Sign in as ${email} to accept it.`}
        busy={accept.isPending}
        onClick={() => accept.mutate()}
      >
        Join the team
      </Button>
    </div>
  )
}

const about = ({ invitedBy, role, expiresAt }: Invitation): string =>
  `${invitedBy} invited you as ${role}: you may ${mayDo[role]}. Valid until ${day(expiresAt)}.`

export function Page() {
  const { token = '' } = useSearch({ from: '/signed-in/invite' })
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => ask('readInvitation', { token }),
    retry: false,
  })
  const footer = <SignedInAs />
  if (invitation.isPending) return <AuthWaiting title="Invitation" />
  if (invitation.data === undefined)
    return (
      <DeadEnd title="This invitation is not valid" footer={footer}>
        It may have been used or taken back, or it is older than 7 days. Ask for a new one.
      </DeadEnd>
    )
  return (
    <AuthFrame title={`Join ${invitation.data.teamName}`} text={about(invitation.data)} footer={footer}>
      <Join token={token} email={invitation.data.email} />
    </AuthFrame>
  )
}
