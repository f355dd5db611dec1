import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { useMe } from '../../api/me.ts'
import { AuthFrame, linkClass } from '../../shell/auth-frame.tsx'
import { mayDo } from '../../shell/invitation.tsx'
import { signOut, switchTeam } from '../../shell/leave.ts'
import { Button } from '../../ui/button.tsx'
import { day } from '../../ui/format.ts'
import { Skeleton } from '../../ui/show.tsx'

/** Joining a team by the link of an invitation. */
export function Page(): ReactNode {
  const { token = '' } = useSearch({ from: '/signed-in/invite' })
  const { user } = useMe()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.session('readInvitation', { token }),
    retry: false,
  })
  const accept = useMutation({
    mutationFn: () => api.session('acceptInvitation', { token }),
    onSuccess: ({ team }) => switchTeam(team.id),
  })
  const footer = (
    <>
      Signed in as {user.email}.{' '}
      <button type="button" onClick={() => void signOut()} className={linkClass}>
        Use another account
      </button>
    </>
  )
  if (invitation.isPending)
    return (
      <AuthFrame title="Invitation">
        <Skeleton />
      </AuthFrame>
    )
  if (invitation.data === undefined)
    return (
      <AuthFrame title="This invitation is not good" footer={footer}>
        <p role="alert" className="text-sm">
          It may have been used, taken back, or be older than 7 days. Ask for a new one.{' '}
          <a href="/" className={linkClass}>
            Go to your teams
          </a>
        </p>
      </AuthFrame>
    )
  const { teamName, role, email, invitedBy, expiresAt } = invitation.data
  const isMine = email.toLowerCase() === user.email.toLowerCase()
  return (
    <AuthFrame
      title={`Join ${teamName}`}
      text={`${invitedBy} invited you as ${role}: you may ${mayDo[role]}. Good until ${day(expiresAt)}.`}
      footer={footer}
    >
      {!isMine && (
        <p role="alert" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-text">
          The invitation is for {email}. Sign in with that address to accept it.
        </p>
      )}
      {accept.error && (
        <p role="alert" className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-text">
          {accept.error.message}
        </p>
      )}
      <Button
        variant="primary"
        size="lg"
        className="w-full"
        reason={!isMine && `Sign in as ${email} to accept it.`}
        busy={accept.isPending}
        onClick={() => accept.mutate()}
      >
        Join the team
      </Button>
    </AuthFrame>
  )
}
