/** Who calls: a team through one of its keys, or one of its members at the dashboard. */
import type { TeamRole } from '@les/contract'

/** Who is calling: a team through one of its keys. */
export type Caller = {
  readonly teamId: string
  readonly keyId: string
  readonly plan: string
  readonly status: 'active' | 'trial' | 'expired'
  readonly captureAllowed: boolean
  /** Who is signed in, when it is a person at the dashboard who asks; `keyId` is empty then. */
  readonly user?: Member
}

/** Somebody who is signed in. */
export type Person = { readonly id: string; readonly sessionId: string; readonly email: string; readonly name: string }

/** A member of the team of the call. */
export type Member = Person & { readonly role: TeamRole }

/** A member who calls for a team. */
export type MemberCaller = Caller & { readonly user: Member }
