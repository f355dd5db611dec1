import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { readInvitation, tokenOfInvitation, type OpenInvitation } from './auth.ts'

/** What each role may do, after «you may». */
export const mayDo: Readonly<Record<OpenInvitation['role'], string>> = {
  viewer: 'see everything and change nothing',
  member: 'track sources and send leads',
  owner: 'do everything, including keys and members',
}

/**
 * The invitation that somebody without a session is on the way to by `to`; undefined while it is read, null when there is none or
 * it is not good any more.
 */
export function useInvitation(to: string | undefined): {
  readonly invitation: OpenInvitation | null | undefined
  readonly isGone: boolean
} {
  const token = tokenOfInvitation(to)
  const { data, isPending } = useQuery({
    queryKey: ['open-invitation', token],
    queryFn: () => readInvitation(token!),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (token === undefined) return { invitation: null, isGone: false }
  return { invitation: isPending ? undefined : (data?.invitation ?? null), isGone: data?.invitation === null }
}

/** Who invites, to which team and as what. */
export function InvitedTo({ invitation }: { readonly invitation: OpenInvitation }): ReactNode {
  const { invitedBy, teamName, role } = invitation
  return (
    <span className="break-words">
      {invitedBy} invited you to <strong className="font-semibold text-ink">{teamName}</strong> as {role}: you may{' '}
      {mayDo[role]}.
    </span>
  )
}

/** Said on the way to an invitation that opens nothing. */
export const goneWords =
  'This invitation is not good any more: it was used, taken back, or is older than 7 days. Ask for a new one.'
