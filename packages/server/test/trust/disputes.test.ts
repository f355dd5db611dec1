/** Disputes: credited at once, left to the operator, or refused as repeated (LDG-06, LDG-07). */
import { describe, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { likes, people, resweep, sweep } from '../scenarios/sync-stage.ts'
import { expectSums, linesOf } from './ledger-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** A team with `count` charges, and the ids of their lines. */
async function charged(count: number): Promise<{ team: Team; author: string; ids: string[] }> {
  const [team, author] = [await world.team({ credits: 1_000 }), world.handle('author')]
  world.network.seedPost({ author, reactions: likes(people(world, count)), comments: [] })
  await sweep(world, team, author, { enrichLeads: false })
  return { team, author, ids: (await linesOf(team, '&kind=charge')).map(({ id }) => id) }
}

const dispute = (team: Team, entryId: string | undefined, reason = 'duplicate') =>
  team.post('/credits/disputes', { entryId, reason })

const stateOf = async (team: Team, entryId: string) => (await linesOf(team)).find(({ id }) => id === entryId)?.dispute

describe('a dispute', () => {
  it('within what a month may give back is credited at once; used stays, the balance rises as by a top-up [LDG-06]', async () => {
    const { team, ids } = await charged(5)
    const before = (await team.get('/credits')).body
    const { status, body } = await dispute(team, ids[0])
    expect([status, body]).toEqual([201, { id: expect.any(String), state: 'credited', credits: 1 }])
    expect((await team.get('/credits')).body).toEqual({ ...before, balance: before.balance + 1 })
    const [line] = await linesOf(team, '&kind=refund')
    const disputed = (await linesOf(team)).find(({ id }) => id === ids[0])
    expect(line).toMatchObject({
      credits: 1,
      reason: 'dispute',
      sourceId: disputed.sourceId,
      syncId: disputed.syncId,
      leadId: disputed.leadId,
      person: disputed.person,
      dispute: { id: body.id, state: 'credited' },
    })
    expect(disputed.dispute).toEqual({ id: body.id, state: 'credited' })
    expect((await team.get('/credits/usage')).body.total).toBe(5)
    await expectSums(team)
  })

  it('beyond 10, or 5 % of what the month has charged so far, waits for the operator [LDG-06]', async () => {
    const { team, ids } = await charged(220)
    const states = []
    for (const id of ids.slice(0, 12)) states.push((await dispute(team, id)).body.state)
    expect(states).toEqual([...Array.from({ length: 11 }, () => 'credited'), 'open'])
    expect(await team.balance()).toBe(1_000 - 220 + 11)
  })

  it('of the next calendar month has its own 10 [LDG-06]', async () => {
    const { team, ids } = await charged(12)
    const state = async (at: number) => (await dispute(team, ids[at])).body.state
    for (let at = 0; at < 10; at++) expect(await state(at)).toBe('credited')
    expect(await state(10)).toBe('open')
    await world.advance('31d')
    expect(await state(11)).toBe('credited')
  })

  it('at the same time as twenty others credits no more than may be [LDG-06]', async () => {
    const { team, ids } = await charged(21)
    const answers = await Promise.all(ids.map((id) => dispute(team, id)))
    expect(answers.map(({ body }) => body.state).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 'credited'),
      ...Array.from({ length: 11 }, () => 'open'),
    ])
    await expectSums(team)
  })

  it('of the same charge at the same time is made once; the others hear which it is [LDG-07]', async () => {
    const { team, ids } = await charged(1)
    const answers = await Promise.all(Array.from({ length: 5 }, () => dispute(team, ids[0])))
    const [made, ...refused] = answers.toSorted((a, b) => a.status - b.status)
    expect(made!.status).toBe(201)
    for (const { status, body } of refused)
      expect([status, body.code, body.disputeId]).toEqual([409, 'already_disputed', made!.body.id])
    expect(await team.balance()).toBe(1_000)
    expect((await dispute(team, ids[0], 'other')).body).toMatchObject({
      code: 'already_disputed',
      disputeId: made!.body.id,
    })
  })

  it('under an Idempotency-Key answers the same again [LDG-06]', async () => {
    const { team, ids } = await charged(1)
    const send = () =>
      team.post(
        '/credits/disputes',
        { entryId: ids[0], reason: 'duplicate' },
        { headers: { 'idempotency-key': 'once' } },
      )
    const first = await send()
    expect((await send()).body).toEqual(first.body)
    expect(await team.balance()).toBe(1_000)
  })

  it('for another reason waits for the operator, who credits or declines it once [LDG-06, LDG-07]', async () => {
    const { team, ids } = await charged(2)
    const [first, second] = [(await dispute(team, ids[0], 'other')).body, (await dispute(team, ids[1], 'other')).body]
    expect([first.state, second.state, await team.balance()]).toEqual(['open', 'open', 998])
    const listed = (await world.operator('GET', '/operator/disputes')).body.disputes
    expect(listed.filter(({ teamId }: { teamId: string }) => teamId === team.id)).toMatchObject([
      { id: first.id, entryId: ids[0], reason: 'other', note: null, credits: 1, state: 'open' },
      { id: second.id },
    ])
    const decide = (id: string, decision: string) => world.operator('POST', `/operator/disputes/${id}`, { decision })
    expect((await decide(first.id, 'credit')).body).toMatchObject({ id: first.id, state: 'credited' })
    expect((await decide(second.id, 'decline')).body).toMatchObject({ id: second.id, state: 'declined' })
    expect([await stateOf(team, ids[0]!), await stateOf(team, ids[1]!), await team.balance()]).toEqual([
      { id: first.id, state: 'credited' },
      { id: second.id, state: 'declined' },
      999,
    ])
    for (const { id } of [first, second]) expect((await decide(id, 'credit')).status).toBe(409)
    expect((await decide(first.id, 'maybe')).status).toBe(400)
    expect((await decide(crypto.randomUUID(), 'credit')).status).toBe(404)
    await expectSums(team)
  })

  it('of what is no charge of the team is refused, and changes nothing [LDG-07]', async () => {
    const { team, author } = await charged(1)
    await resweep(world, team, author)
    const lines = await linesOf(team)
    const idOf = (kind: string) => lines.find((line) => line.kind === kind).id
    const other = await charged(1)
    for (const [id, status] of [
      [idOf('free'), 400],
      [idOf('grant'), 400],
      [crypto.randomUUID(), 404],
      [other.ids[0], 404],
      ['x', 400],
      [undefined, 400],
    ] as const)
      expect((await refusedWithoutTrace(world, () => dispute(team, id))).status, id).toBe(status)
    for (const more of [{ reason: 'because' }, { note: 'x'.repeat(1_001) }, { reason: 'duplicate', entry: 'x' }]) {
      const { status, body } = await team.post('/credits/disputes', {
        entryId: idOf('charge'),
        reason: 'duplicate',
        ...more,
      })
      expect([status, body.code]).toEqual([400, 'entry' in more ? 'unknown_field' : undefined])
    }
  })

  it('is made by members at the dashboard, not by viewers, and the audit log says who [LDG-06]', async () => {
    const { team, ids } = await charged(1)
    const [viewer, member] = [await memberOf(world, team, 'viewer'), await memberOf(world, team, 'member')]
    const body = { entryId: ids[0], reason: 'own_staff', note: 'One of us' }
    expect((await viewer.post('/v1/credits/disputes', body)).body.code).toBe('role_required')
    expect((await viewer.get('/v1/credits/ledger')).body.total).toBe(2)
    expect((await member.post('/v1/credits/disputes', body)).status).toBe(201)
    const { rows } = await world.database.pool.query(
      `select * from audit_entry where team_id = $1 and operation = 'disputeCharge'`,
      [team.id],
    )
    expect(rows.length).toBe(1)
  })
})
