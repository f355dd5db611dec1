/** What the role of a member lets them do, the same on every surface that knows who asks. */
import { reaches, type TeamRole } from '@les/contract'
import { Refusal } from '../platform/refusal.ts'

/** Refuses `role_required` for a role too low. */
export function requireRole(role: TeamRole, needed: TeamRole): void {
  if (!reaches(role, needed))
    throw new Refusal(
      'role_required',
      { needed },
      `Only ${needed === 'owner' ? 'owners' : 'owners and members'} of the ` +
        `team may do this: you are ${role === 'member' ? 'a member' : 'a viewer'}`,
    )
}
