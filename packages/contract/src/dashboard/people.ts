import { z } from 'zod'
import { idInPath, isoDateTime, uuid, nameText } from '../values/index.ts'
import { sessionOperationsOf, teamRole } from './operation.ts'

const operation = sessionOperationsOf('people')

const email = z
  .email({ error: 'must be an email address' })
  .max(254)
  .transform((text) => text.toLowerCase())
const teamInList = z.object({
  id: uuid,
  name: z.string(),
  role: teamRole,
  plan: z.string(),
  status: z.enum(['active', 'trial', 'expired']),
})
const member = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: teamRole,
  since: isoDateTime,
  you: z.boolean(),
})
const invitation = z.object({
  id: uuid,
  email: z.string(),
  role: teamRole,
  invitedBy: z.string(),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
})
const userInPath = z.object({ userId: z.string().max(100) })

export const peopleOperations = [
  operation('getMe', 'GET /me', {
    role: null,
    summary: 'Read the signed-in person and their teams',
    success: z.object({
      user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
      sessionId: z.string(),
      teams: z.array(teamInList),
      sampleTeam: teamInList.nullable().describe('The sample team, once someone has opened it.'),
      sandbox: z.boolean().describe('True when the service uses the synthetic network.'),
      operator: z.boolean().describe('True when this person operates the service and sees its operations page.'),
      now: isoDateTime,
    }),
  }),
  operation('createTeam', 'POST /teams', {
    role: null,
    summary: 'Create a team as its owner; it starts with a free trial',
    body: z.object({ name: nameText('the name of the team', 200) }),
    status: 201,
    success: z.object({ team: teamInList }),
    errors: ['team_limit_reached', 'sign_up_closed'],
  }),
  operation('openSampleTeam', 'POST /sample-team', {
    role: null,
    summary: 'Open the sample team, whose invented data anyone can view and nobody can change',
    body: z.object({}),
    success: z.object({ team: teamInList }),
  }),
  operation('readInvitation', 'POST /invitations/read', {
    role: null,
    summary: 'Read an invitation; the token is in the email',
    body: z.object({ token: z.string().max(200) }),
    success: z.object({
      teamName: z.string(),
      role: teamRole,
      email: z.string(),
      invitedBy: z.string(),
      expiresAt: isoDateTime,
    }),
    errors: ['not_found'],
  }),
  operation('acceptInvitation', 'POST /invitations/accept', {
    role: null,
    summary: 'Accept an invitation sent to the address you are signed in with',
    body: z.object({ token: z.string().max(200) }),
    success: z.object({ team: teamInList }),
    errors: ['not_found'],
  }),
  operation('listMembers', 'GET /members', {
    role: 'viewer',
    summary: 'List members and open invitations',
    success: z.object({ members: z.array(member), invitations: z.array(invitation) }),
  }),
  operation('inviteMember', 'POST /invitations', {
    role: 'owner',
    summary: 'Invite a person by email; the link is valid for 7 days',
    body: z.object({ email, role: teamRole }),
    status: 201,
    success: z.object({ invitation }),
    errors: ['member_exists', 'invitation_limit_reached'],
  }),
  operation('cancelInvitation', 'DELETE /invitations/{id}', {
    role: 'owner',
    summary: 'Cancel an invitation',
    params: z.object({ id: idInPath }),
    success: z.object({ ok: z.literal(true) }),
    errors: ['not_found'],
  }),
  operation('changeMemberRole', 'PATCH /members/{userId}', {
    role: 'owner',
    summary: 'Change the role of a member',
    params: userInPath,
    body: z.object({ role: teamRole }),
    success: z.object({ member }),
    errors: ['not_found', 'last_owner'],
  }),
  operation('removeMember', 'DELETE /members/{userId}', {
    role: 'owner',
    summary: 'Remove a member from the team',
    params: userInPath,
    success: z.object({ ok: z.literal(true) }),
    errors: ['not_found', 'last_owner'],
  }),
  operation('leaveTeam', 'POST /leave', {
    role: 'viewer',
    summary: 'Leave the team',
    body: z.object({}),
    success: z.object({ ok: z.literal(true) }),
    errors: ['last_owner'],
  }),
] as const
