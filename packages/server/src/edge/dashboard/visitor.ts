import type { IncomingMessage } from 'node:http'
import { isUuid, type TeamRole } from '@les/contract'
import {
  readTeam,
  type Caller,
  type Handlers,
  type Person,
  type SessionHandlers,
  type Team,
} from '../../modules/accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import type { DispatchParts } from '../dispatch.ts'
import type { ExportTeam } from '../http/stream.ts'
import type { SignIn } from '../../sign-in/index.ts'

export type DashboardParts = {
  readonly signIn: Pick<SignIn, 'handle' | 'session' | 'role' | 'stillIn'>
  readonly handlers: SessionHandlers
  /** The contract's operations for the pages: sources tracked there get the team's defaults. */
  readonly contractHandlers: Handlers
  /** The public address without a path: `https://leads.example.com`. */
  readonly publicOrigin: () => string
  readonly exportTeam: ExportTeam
}

export type Visitor = { readonly person: Person; readonly team: Team; readonly role: TeamRole }

/** The request headers for the sign-in library; `x-les-peer` is the connection's real address, never the caller's value. */
export function webHeaders(raw: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value === undefined || name === 'x-les-peer') continue
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each)
  }
  headers.set('x-les-peer', raw.socket.remoteAddress ?? '')
  return headers
}

/** The signed-in person; refuses `session_required`. */
export async function personOf(parts: DashboardParts, raw: IncomingMessage): Promise<Person> {
  return (await parts.signIn.session(webHeaders(raw))) ?? refuse('session_required')
}

/** The person in a team; a team they do not belong to is `not_found`, like one that does not exist. */
export async function visitorOf(
  parts: DashboardParts & Pick<DispatchParts, 'db'>,
  person: Person,
  teamId: string,
): Promise<Visitor> {
  const unknown = () => refuse('not_found', {}, 'No such team')
  if (!isUuid(teamId)) return unknown()
  const id = teamId.toLowerCase()
  const role = (await parts.signIn.role(parts.db, person.id, id)) ?? unknown()
  return { person, role, team: (await readTeam(parts.db, id)) ?? unknown() }
}

/** A visitor as a caller of the contract's operations. */
export const callerOf = ({ person, team, role }: Visitor): Caller => ({
  teamId: team.id,
  keyId: '',
  plan: team.plan,
  status: team.status,
  captureAllowed: team.captureAllowed,
  user: { ...person, role },
})

/** A person as a caller of operations without a team. */
export const callerWithoutTeam = (person: Person): Caller => ({
  teamId: '',
  keyId: '',
  plan: '',
  status: 'active',
  captureAllowed: false,
  user: { ...person, role: 'viewer' },
})
