import type { PeopleOperationId, TeamRole } from '@les/contract'
import { createTeam, readTeam, type SessionHandlers } from '../modules/accounts/index.ts'
import { openAccount } from '../modules/credits/index.ts'
import { inShard, type Shards } from '../platform/db/shards.ts'
import type { Reader, Tx } from '../platform/db/unit-of-work.ts'
import type { Ids } from '../platform/random.ts'
import { refuse } from '../platform/refusal.ts'
import type { Vault } from '../platform/secrets.ts'
import type { SignIn } from './sign-in.ts'
import {
  acceptInvitation,
  findInvitation,
  gone,
  invite,
  listInvitations,
  revokeInvitation,
  type Invitation,
} from './invitations.ts'
import { operatorWords } from './mail.ts'
import {
  addMember,
  beginTrial,
  changeRole,
  listMembers,
  listTeamsOf,
  removeMember,
  type Member,
} from './memberships.ts'
import type { SignUpPolicy } from './parts.ts'
import { openSampleTeam, readSampleTeam } from './sample-team.ts'

type PeopleDeps = {
  readonly vault: Vault
  readonly ids: Ids
  readonly signIn: Pick<SignIn, 'mailInvitation'>
  readonly isOperator: (email: string) => boolean
  readonly sandbox: boolean
  /** People open teams themselves only where sign-up is `open`: the operator pays for trial credits. */
  readonly signUp: SignUpPolicy
  readonly sampleRows: () => Promise<string>
  /** The sample team is in the first shard. */
  readonly shards: Pick<Shards, 'names' | 'ofNewTeam'>
}

const presentMember = (member: Member, you: string) => ({ ...member, you: member.userId === you })
const presentInvitation = (invitation: Invitation) => ({
  ...invitation,
  invitedBy: invitation.invitedBy ?? operatorWords,
})

async function openTeam(tx: Tx, deps: PeopleDeps, user: { id: string; email: string }, name: string) {
  if (deps.signUp !== 'open') return refuse('sign_up_closed')
  const { team } = await createTeam(tx, deps, { name, status: 'trial', firstKey: false })
  await openAccount(tx, team.id, { status: 'trial' })
  if (!(await beginTrial(tx, { email: user.email, userId: user.id, teamId: team.id })))
    return refuse('team_limit_reached')
  await addMember(tx, { userId: user.id, teamId: team.id, role: 'owner' })
  return { team: { id: team.id, name: team.name, role: 'owner' as const, plan: team.plan, status: team.status } }
}

async function joinedTeam(db: Reader, teamId: string, role: TeamRole) {
  const { id, name, plan, status } = (await readTeam(db, teamId))!
  return { team: { id, name, role, plan, status } }
}

/** Invites in the operator's name, for instance a team's first owner; mailed after the commit. */
export const inviteForOperator =
  (deps: Pick<PeopleDeps, 'ids' | 'signIn'>) =>
  async (tx: Tx, wanted: { readonly teamId: string; readonly email: string; readonly role: TeamRole }) => {
    const { invitation, token } = await invite(tx, deps.ids, { ...wanted, invitedBy: null })
    const { email, teamName } = invitation
    tx.afterCommit(() => deps.signIn.mailInvitation({ to: email, teamName, invitedBy: null, token }))
    return invitation
  }

const readInvitation: SessionHandlers<PeopleOperationId>['readInvitation'] = ({ token }, { unitOfWork }) =>
  unitOfWork(async (tx) => {
    const { teamName, role, email, invitedBy, expiresAt } = (await findInvitation(tx.db, token, tx.now)) ?? gone()
    return { teamName, role, email, invitedBy: invitedBy ?? operatorWords, expiresAt }
  })

const inviteMemberOf =
  (deps: PeopleDeps): SessionHandlers<PeopleOperationId>['inviteMember'] =>
  ({ email, role }, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      const wanted = { teamId: caller.teamId, email, role, invitedBy: caller.user.id }
      const { invitation, token } = await invite(tx, deps.ids, wanted)
      const mail = { to: email, teamName: invitation.teamName, invitedBy: caller.user.email, token }
      tx.afterCommit(() => deps.signIn.mailInvitation(mail))
      return { invitation: presentInvitation(invitation) }
    })

export function peopleOperations(deps: PeopleDeps): SessionHandlers<PeopleOperationId> {
  return {
    getMe: async (_input, { caller: { user }, db, now }) => ({
      user: { id: user.id, name: user.name, email: user.email },
      sessionId: user.sessionId,
      teams: await listTeamsOf(db, user.id),
      sampleTeam: await readSampleTeam(db),
      sandbox: deps.sandbox,
      operator: deps.isOperator(user.email),
      now,
    }),
    createTeam: ({ name }, { caller: { user }, unitOfWork }) =>
      deps.shards.ofNewTeam(() => unitOfWork((tx) => openTeam(tx, deps, user, name))),
    openSampleTeam: async (_input, { unitOfWork }) => {
      const rows = await deps.sampleRows()
      return inShard(deps.shards.names[0]!, () =>
        unitOfWork(async (tx) => ({ team: await openSampleTeam(tx, deps, rows) })),
      )
    },
    readInvitation,
    acceptInvitation: ({ token }, { caller: { user }, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { teamId, role } = await acceptInvitation(tx, token, user)
        return joinedTeam(tx.db, teamId, role)
      }),
    listMembers: async (_input, { caller, db, now }) => ({
      members: (await listMembers(db, caller.teamId)).map((member) => presentMember(member, caller.user.id)),
      invitations: (await listInvitations(db, caller.teamId, now)).map(presentInvitation),
    }),
    inviteMember: inviteMemberOf(deps),
    cancelInvitation: ({ id }, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        await revokeInvitation(tx, caller.teamId, id ?? refuse('not_found', {}, 'No such invitation'))
        return { ok: true as const }
      }),
    changeMemberRole: ({ userId, role }, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => ({
        member: presentMember(await changeRole(tx, { userId, teamId: caller.teamId, role }), caller.user.id),
      })),
    removeMember: ({ userId }, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        await removeMember(tx, { userId, teamId: caller.teamId })
        return { ok: true as const }
      }),
    leaveTeam: (_input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        await removeMember(tx, { userId: caller.user.id, teamId: caller.teamId })
        return { ok: true as const }
      }),
  }
}
