import type { TeamRole } from '@les/contract'
import type { Choice } from '../../ui/index.ts'

/** A role of a member. */
export type Role = TeamRole

/** Roles by name. */
export const roleWords: Readonly<Record<Role, string>> = { viewer: 'Viewer', member: 'Member', owner: 'Owner' }

/** The roles to choose from. */
export const roles: readonly Choice<Role>[] = [
  { value: 'viewer', label: roleWords.viewer },
  { value: 'member', label: roleWords.member },
  { value: 'owner', label: roleWords.owner },
]
