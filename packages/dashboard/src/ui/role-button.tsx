import type { ReactNode } from 'react'
import { useTeam } from '../api/me.ts'
import { Button, type ButtonProps } from './button.tsx'

const who = {
  viewer: '',
  member: 'Only members and owners of the team may do this.',
  owner: 'Only owners of the team may do this.',
} as const

/** Why the one who looks may not do what a role is needed for; null when they may. */
export function useRefusal(role: 'member' | 'owner'): string | null {
  return useTeam().can(role) ? null : who[role]
}

/** Props of `RoleButton`. */
export type RoleButtonProps = ButtonProps & {
  /** The role that the action needs. */
  readonly needs: 'member' | 'owner'
}

/** A button for those whose role allows it; the others see it greyed, and read why. */
export function RoleButton({ needs, reason, ...rest }: RoleButtonProps): ReactNode {
  return <Button {...rest} reason={useRefusal(needs) ?? reason} />
}
