/** Members of a team, joining and leaving; a team always keeps an owner (AUT-17). */
import { beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/platform/refusal.ts'
import {
  acceptInvitation,
  findInvitation,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../src/sign-in/invitations.ts'
import {
  addMember,
  changeRole,
  findRole,
  listMembers,
  listTeamsOf,
  removeMember,
} from '../../src/sign-in/memberships.ts'
import { useWorld, type Team } from '../world/world.ts'
import { openBrowser, signedIn } from './browser.ts'

const world = useWorld()
type Someone = { readonly id: string; readonly email: string }

async function signUp(): Promise<Someone> {
  const page = openBrowser(world.service.signIn, world.url)
  await signedIn(world.service.signIn, page)
  return (await world.service.signIn.session(page.headers()))!
}

const unit: typeof world.service.unitOfWork = (work) => world.service.unitOfWork(work)
const ids = () => world.service.ids
const db = () => world.service.database.root
const join = (team: Team, { id }: Someone, role: 'owner' | 'member' | 'viewer') =>
  unit((tx) => addMember(tx, { userId: id, teamId: team.id, role }))
const asks = (team: Team, by: Someone, email: string, role: 'owner' | 'member' | 'viewer' = 'member') =>
  unit((tx) => invite(tx, ids(), { teamId: team.id, email, role, invitedBy: by.id }))
const refused = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw error ?? new Error('it was not refused')
  return error.key
}

let ada: Someone
let bob: Someone
let eve: Someone
beforeAll(async () => {
  ada = await signUp()
  bob = await signUp()
  eve = await signUp()
})

describe('members', () => {
  it('a person sees their own teams with their role in each, and a team its members, owners first', async () => {
    const [one, two] = [await world.team({ name: 'Zebra' }), await world.team({ name: 'apple' })]
    await join(one, ada, 'viewer')
    await join(two, ada, 'owner')
    await join(one, bob, 'owner')
    await join(one, ada, 'owner')
    expect((await listTeamsOf(db(), ada.id)).map(({ name, role }) => [name, role])).toEqual([
      ['apple', 'owner'],
      ['Zebra', 'viewer'],
    ])
    expect((await listMembers(db(), one.id)).map(({ userId, role }) => [userId, role])).toEqual([
      [bob.id, 'owner'],
      [ada.id, 'viewer'],
    ])
    expect([await findRole(db(), ada.id, one.id), await findRole(db(), eve.id, one.id)]).toEqual(['viewer', null])
    await unit((tx) => changeRole(tx, { userId: ada.id, teamId: one.id, role: 'member' }))
    expect((await listTeamsOf(db(), ada.id)).map(({ name, role }) => [name, role])).toEqual([
      ['apple', 'owner'],
      ['Zebra', 'member'],
    ])
  })

  it('the last owner is neither demoted nor removed, even when two demote each other at once; a stranger is 404', async () => {
    const team = await world.team()
    await join(team, ada, 'owner')
    await join(team, eve, 'member')
    expect(await refused(unit((tx) => changeRole(tx, { userId: ada.id, teamId: team.id, role: 'member' })))).toBe(
      'last_owner',
    )
    expect(await refused(unit((tx) => removeMember(tx, { userId: ada.id, teamId: team.id })))).toBe('last_owner')
    expect(await refused(unit((tx) => removeMember(tx, { userId: bob.id, teamId: team.id })))).toBe('not_found')
    await join(team, bob, 'owner')
    const demote = ({ id }: Someone) => unit((tx) => changeRole(tx, { userId: id, teamId: team.id, role: 'viewer' }))
    const outcomes = await Promise.allSettled([demote(ada), demote(bob)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await listMembers(db(), team.id)).filter(({ role }) => role === 'owner')).toHaveLength(1)
    await unit((tx) => removeMember(tx, { userId: eve.id, teamId: team.id }))
    expect(await findRole(db(), eve.id, team.id)).toBeNull()
  })
})

describe('invitations', () => {
  it('a link lets the person of its address in, once, for 7 days; its token is nowhere in the database', async () => {
    const team = await world.team({ name: 'Invited' })
    await join(team, ada, 'owner')
    const { token, invitation } = await asks(team, ada, bob.email.toUpperCase(), 'viewer')
    expect(invitation).toMatchObject({ teamName: 'Invited', email: bob.email, role: 'viewer', invitedBy: ada.email })
    const { rows } = await world.database.pool.query('select i::text as row from sign_in.invitation i')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(await refused(unit((tx) => acceptInvitation(tx, token, eve)))).toBe('not_found')
    expect(await unit((tx) => acceptInvitation(tx, token, bob))).toEqual({ teamId: team.id, role: 'viewer' })
    expect(await refused(unit((tx) => acceptInvitation(tx, token, bob)))).toBe('not_found')
    expect(await refused(asks(team, ada, bob.email))).toBe('member_exists')
    const late = await asks(team, ada, eve.email)
    await world.move('7d')
    expect(await refused(unit((tx) => acceptInvitation(tx, late.token, eve)))).toBe('not_found')
    expect(await findRole(db(), eve.id, team.id)).toBeNull()
  })

  it('an invitation that is taken back, or replaced by a newer one, opens nothing; nobody takes back that of another team', async () => {
    const [team, other] = [await world.team(), await world.team()]
    await join(team, ada, 'owner')
    const first = await asks(team, ada, bob.email)
    const second = await asks(team, ada, bob.email, 'owner')
    expect((await listInvitations(db(), team.id, await world.now())).map(({ id }) => id)).toEqual([
      second.invitation.id,
    ])
    expect(await refused(unit((tx) => acceptInvitation(tx, first.token, bob)))).toBe('not_found')
    expect(await refused(unit((tx) => revokeInvitation(tx, other.id, second.invitation.id)))).toBe('not_found')
    await unit((tx) => revokeInvitation(tx, team.id, second.invitation.id))
    expect(await findInvitation(db(), second.token, await world.now())).toBeNull()
    expect(await refused(unit((tx) => acceptInvitation(tx, second.token, bob)))).toBe('not_found')
  })

  it('who is removed, leaves or is no owner any more takes their open invitations along; those of others stay good', async () => {
    const [team, other] = [await world.team(), await world.team()]
    await join(team, ada, 'owner')
    for (const ended of ['removed', 'demoted'] as const) {
      await join(team, eve, 'owner')
      await join(other, eve, 'owner')
      const [back, kept] = [await asks(team, eve, bob.email, 'owner'), await asks(team, ada, `${ended}@example.com`)]
      const elsewhere = await asks(other, eve, `${ended}-too@example.com`)
      await unit(async (tx) => {
        if (ended === 'removed') await removeMember(tx, { userId: eve.id, teamId: team.id })
        else await changeRole(tx, { userId: eve.id, teamId: team.id, role: 'member' })
      })
      expect(await refused(unit((tx) => acceptInvitation(tx, back.token, bob)))).toBe('not_found')
      expect(await findRole(db(), bob.id, team.id)).toBeNull()
      for (const { token } of [kept, elsewhere])
        expect(await findInvitation(db(), token, await world.now())).toMatchObject({ role: 'member' })
      // A request admitted before they lost the owner role is refused.
      expect(await refused(asks(team, eve, bob.email, 'owner'))).toBe('role_required')
    }
  })

  it('accepting never lowers the role of somebody who is in already, and two at once accept one time', async () => {
    const team = await world.team()
    await join(team, ada, 'owner')
    const { token } = await asks(team, ada, bob.email, 'viewer')
    await join(team, bob, 'member')
    const outcomes = await Promise.allSettled([
      unit((tx) => acceptInvitation(tx, token, bob)),
      unit((tx) => acceptInvitation(tx, token, bob)),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: { teamId: team.id, role: 'member' } },
    ])
  })

  it('a team sends at most 50 in 7 days, also when many are asked for at once', async () => {
    const team = await world.team()
    await join(team, ada, 'owner')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 55 }, (_, at) => asks(team, ada, `guest-${at}@example.com`)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    expect(await refused(asks(team, ada, 'one-more@example.com'))).toBe('invitation_limit_reached')
    await world.move('7d')
    await asks(team, ada, 'one-more@example.com')
  })

  it('those of the 50 that were taken back or replaced were sent all the same', async () => {
    const team = await world.team()
    await join(team, ada, 'owner')
    for (let at = 0; at < 25; at++) {
      const { invitation } = await asks(team, ada, `sent-${at}@example.com`)
      await unit((tx) => revokeInvitation(tx, team.id, invitation.id))
      await asks(team, ada, 'again@example.com')
    }
    expect(await listInvitations(db(), team.id, await world.now())).toHaveLength(1)
    expect(await refused(asks(team, ada, 'one-more@example.com'))).toBe('invitation_limit_reached')
  })

  it('the mail has one link, and what people typed adds neither lines nor links to it', async () => {
    world.service.signIn.mailInvitation({
      to: 'guest@example.com',
      teamName: 'Win\r\nnow: https://evil.example',
      invitedBy: 'Ada\u2028http://evil.example',
      token: 'the-token',
    })
    await world.service.signIn.settled()
    const { text, subject } = world.mails.findLast(({ to }) => to === 'guest@example.com')!
    expect(text.match(/https?:\/\/\S+/g)).toEqual([`${world.url}/invite?token=the-token`])
    expect(text).toContain('Win now:')
    expect(subject).not.toMatch(/[\r\n]/)
  })
})
