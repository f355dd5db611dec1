/** What the dashboard's surface needs from sign-in; compose plugs it in. */
import type { TeamRole } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers, Person, SessionHandlers } from '../../modules/accounts/index.ts'

/** Sign-in, as the surface sees it. */
export type DashboardSignIn = {
  /** Serves everything under `/app/api/auth` and the metadata of the authorization server. */
  handle(request: Request): Promise<Response>
  /** Who the cookies of a request belong to; null for nobody. */
  session(headers: Headers): Promise<Person | null>
  /** The role of somebody in a team; null for a stranger. */
  role(db: Reader, userId: string, teamId: string): Promise<TeamRole | null>
  /** Which of those who were let in for longer than a request may stay, in the order given. */
  stillIn(
    db: Reader,
    present: readonly { readonly sessionId: string; readonly userId: string; readonly teamId: string }[],
    at: Date,
  ): Promise<readonly boolean[]>
}

/** What the dashboard is made of. */
export type DashboardParts = {
  readonly signIn: DashboardSignIn
  readonly handlers: SessionHandlers
  /** The contract's operations as the pages are answered: what is tracked there gets the defaults of the team. */
  readonly contractHandlers: Handlers
  /** Where people reach this service, without a path: `https://leads.example.com`. */
  readonly publicOrigin: () => string
}
