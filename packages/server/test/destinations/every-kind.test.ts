/** What holds for every kind of destination in the whole service: one record per person whatever dies, is lost or is refused. */
import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { rotatingShare } from '../world/amount.ts'
import { skippingClock } from '../world/fast-clock.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { dieAt, forgetLeases, kinds, misbehave, place, type Kind } from './kinds.ts'
import { deliveriesOf } from './stage.ts'

const world = useWorld({ config: drainOnly, overrides: { system: skippingClock() } })
const ofPeople = kinds.filter(({ kind }) => kind !== 'slack')
const mapped = kinds.filter(({ mailField }) => mailField !== null)
const [hubspot] = kinds.filter(({ kind }) => kind === 'hubspot') as [Kind]
const slack = kinds[0]!

/** The kinds for one of three behaviours: the usual run spreads the kinds over them, so that each is tried. */
const someKinds = (behaviour: number, of: readonly Kind[] = kinds) => rotatingShare(of, behaviour, 3)
/** One kind in the usual run, for what the service does alike for all of them. */
const oneKind = (behaviour: number) => rotatingShare(kinds, behaviour, kinds.length)

const statesOf = async (team: Team, id: string) => (await deliveriesOf(team, id)).map(({ state }) => state).toSorted()

/** A destination with two waiting people and nothing sent, because it was paused when they were captured. */
async function waiting(of: Kind, more: Parameters<typeof place>[3] & { people?: Parameters<typeof capture>[2] } = {}) {
  const { people = fans(2), ...settings } = more
  const team = await world.team()
  const there = await place(world, team, of, { ...settings, active: false })
  const source = await capture(world, team, people)
  expect(there.people()).toEqual([])
  const resume = async () => expect((await there.set({ active: true })).status).toBe(200)
  return { team, there, source, resume }
}
const expectOnce = (there: { people: () => readonly string[] }, handles: readonly string[]) => {
  expect(there.people()).toHaveLength(handles.length)
  for (const handle of handles) expect(there.people().filter((text) => text.includes(handle))).toHaveLength(1)
}

it.each(
  (['destination.sent', 'destination.begun', 'destination.recorded'] as const).flatMap((point, behaviour) =>
    someKinds(behaviour).map((of) => [of.kind, point, of] as const),
  ),
)('%s has everybody once after a worker has died at %s [DST-07]', async (_kind, point, of) => {
  const { team, there, source, resume } = await waiting(of)
  await resume()
  await dieAt(world, point)
  await world.advance('1m')
  expectOnce(there, source.handles)
  // Whether a Slack message arrived is unknown, so it is not sent again and its state says so.
  const isOpen = of.kind === 'slack' && point !== 'destination.begun'
  expect(await statesOf(team, there.id)).toEqual(Array(2).fill(isOpen ? 'unknown' : 'delivered'))
})

it.each(someKinds(0))('$kind has everybody once when the answer is lost [DST-07]', async (of) => {
  const { team, there, source, resume } = await waiting(of)
  await resume()
  misbehave(world, of, { kind: 'lost_reply' })
  await world.drain()
  await world.advance('1m')
  await world.advance('5m')
  expectOnce(there, source.handles)
  expect(await statesOf(team, there.id)).toEqual(Array(2).fill(of.kind === 'slack' ? 'unknown' : 'delivered'))
})

it.each(oneKind(5))('$kind has everybody once when two workers are at it [DST-07]', async (of) => {
  const { there, source, resume } = await waiting(of)
  await resume()
  world.network.hold({ vendor: of.write.vendor, operation: of.write.operation })
  world.beginDrain()
  world.beginDrain()
  await world.network.untilWaiting(1, { vendor: of.write.vendor, operation: of.write.operation })
  expect(world.network.waiting({ vendor: of.write.vendor, operation: of.write.operation })).toBe(1)
  world.network.release()
  await world.settle()
  await forgetLeases(world)
  await world.drain()
  expectOnce(there, source.handles)
})

it.each(
  (
    [
      ['in seconds', { retryAfterS: 90 }, 90],
      ['as a date', { retryAfterS: 90, retryAs: 'date' }, 90],
      ['not at all', {}, 10],
    ] as const
  ).flatMap(([how, fault, seconds], behaviour) =>
    oneKind(3 - behaviour).map((of) => [of.kind, how, fault, seconds, of] as const),
  ),
)(
  '%s that takes no more calls and says %s until when is left alone until then, no try used up [DST-09]',
  async (_kind, _how, fault, seconds, of) => {
    const { team, there, source, resume } = await waiting(of)
    await resume()
    misbehave(world, of, { kind: 'status_429', ...fault })
    await world.drain()
    expect((await deliveriesOf(team, there.id)).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(2).fill(['waiting', 0]),
    )
    expect((await there.shown()).state).toBe('failing')
    await forgetLeases(world)
    await world.advance(`${seconds - 2}s`)
    expect(there.people()).toEqual([])
    await world.advance('3s')
    expectOnce(there, source.handles)
    expect(await deliveriesOf(team, there.id)).toMatchObject(Array(2).fill({ state: 'delivered', attempts: 1 }))
    expect(await there.shown()).toMatchObject({ state: 'active', pausedReason: null })
  },
)

it.each(oneKind(4))('$kind that answers with a page of 502 gets everybody later [DST-09]', async (of) => {
  const { team, there, source, resume } = await waiting(of)
  await resume()
  misbehave(world, of, { kind: 'html_502' })
  await world.drain()
  expect(await statesOf(team, there.id)).toEqual(['waiting', 'waiting'])
  await forgetLeases(world)
  await world.advance('1m')
  expectOnce(there, source.handles)
})

it.each(oneKind(0))(
  '$kind whose credentials are revoked on the way pauses, keeps who waits, in order, and goes on once mended [DST-02, DST-09]',
  async (of) => {
    const { team, there, source, resume } = await waiting(of)
    await resume()
    misbehave(world, of, { kind: 'status', status: 401 })
    await world.drain()
    expect(await there.shown()).toMatchObject({
      state: 'paused',
      pausedReason: 'credentials_rejected',
      counts: { waiting: 2 },
    })
    const more = await capture(world, team, fans(1))
    await world.advance('1h')
    expect(there.people()).toEqual([])
    await resume()
    await forgetLeases(world)
    await world.drain()
    await world.advance('10s')
    expectOnce(there, [...source.handles, ...more.handles])
    // Sent in the order of waiting.
    const { rows } = await world.database.pool.query(
      `select lead_id from destination_delivery where destination_id = $1 order by at, due_at, id`,
      [there.id],
    )
    expect(rows.at(-1)).toEqual({ lead_id: more.leadIds[0] })
  },
)

it.each(oneKind(1))(
  '$kind gets nothing again of what is unchanged, and a later engagement into the same record [DST-06, DST-07]',
  async (of) => {
    const team = await world.team()
    const there = await place(world, team, of)
    const fan = world.handle('fan')
    const { leadIds } = await capture(world, team, [{ handle: fan }])
    expect(there.people()).toHaveLength(1)
    world.network.clearCalls()
    await team.post(`/destinations/${there.id}/push`, { leadIds })
    await forgetLeases(world)
    await world.drain()
    expect((await deliveriesOf(team, there.id)).map(({ state }) => state)).toEqual(['unchanged', 'delivered'])
    expect(world.network.calls({ vendor: of.write.vendor, operation: of.write.operation })).toEqual([])
    await capture(world, team, [{ handle: fan, comment: 'This is what we were looking for' }])
    await forgetLeases(world)
    await world.advance('10s')
    const isNew = of.kind === 'slack' || of.onChange === 'added'
    expect(there.people()).toHaveLength(isNew ? 2 : 1)
  },
)

it.each(oneKind(2))('$kind whose filters change gets of who waits only those that pass [DST-06]', async (of) => {
  const { there, source, resume } = await waiting(of, { people: [{ title: 'Head of Growth' }, {}] })
  const filters = [{ column: 'jobTitle', operator: 'contains', value: 'Growth' }]
  expect((await there.set({ filters })).status).toBe(200)
  await resume()
  await world.drain()
  expectOnce(there, [source.handles[0]!])
})

it.each(oneKind(3))(
  '$kind that is deleted while a batch is under way gets nothing more, and nothing is left of it [DST-02]',
  async (of) => {
    const { team, there, resume } = await waiting(of)
    await resume()
    world.network.hold({ vendor: of.write.vendor, operation: of.write.operation })
    world.beginDrain()
    await world.network.untilWaiting(1, { vendor: of.write.vendor, operation: of.write.operation })
    expect((await team.del(`/destinations/${there.id}`)).status).toBe(200)
    world.network.release()
    await world.settle()
    await capture(world, team, fans(1))
    expect(there.people()).toHaveLength(2)
    expect((await team.get(`/destinations/${there.id}`)).status).toBe(404)
    for (const table of ['destination_delivery', 'destination_record', 'destination_day'])
      expect(
        (await world.database.pool.query(`select 1 from ${table} where destination_id = $1`, [there.id])).rows,
      ).toEqual([])
  },
)

it.each(oneKind(4))(
  '$kind gets nobody who was excluded while they waited, and nobody of another team [DST-06]',
  async (of) => {
    const { team, there, source, resume } = await waiting(of)
    const stranger = await world.team()
    const theirs = await place(world, stranger, of)
    const [gone, stays] = source.handles as [string, string]
    await team.post('/exclusions', { entries: [{ kind: 'person', value: gone }] })
    await resume()
    await world.drain()
    expectOnce(there, [stays])
    expect(await statesOf(team, there.id)).toEqual(['delivered', 'excluded'])
    expect([theirs.people(), await deliveriesOf(stranger, theirs.id)]).toEqual([[], []])
  },
)

it.each(someKinds(8, ofPeople))(
  '$kind has one record of somebody who engaged twice, or turned out to be two ids of one person [DST-07]',
  async (of) => {
    const fan = world.handle('fan')
    const { team, there, source, resume } = await waiting(of, {
      people: [{ handle: fan }, { handle: fan, comment: 'Twice' }, {}],
    })
    expect(await deliveriesOf(team, there.id)).toHaveLength(2)
    const { rows } = await world.database.pool.query(
      `update person p set handle = $2 where team_id = $1 and handle <> $2 returning id`,
      [team.id, source.handles[0]],
    )
    expect(rows.length).toBeGreaterThan(0)
    await resume()
    await world.drain()
    expect(there.people()).toHaveLength(1)
    expect(await statesOf(team, there.id)).toEqual(['delivered', 'unchanged'])
  },
)

it.each(someKinds(9, mapped))(
  '$kind is refused one bad record with its field, and takes the others [DST-08]',
  async (of) => {
    const { team, there, source, resume } = await waiting(of, {
      mapping: [{ field: of.mailField!, from: 'jobTitle', mode: 'always' as const }],
      people: [{ title: 'one@example.com' }, { title: 'no mail' }, { title: 'two@example.com' }],
    })
    await resume()
    await world.drain()
    expect(there.people()).toHaveLength(2)
    expect(await statesOf(team, there.id)).toEqual(['delivered', 'delivered', 'refused'])
    const [refused] = await deliveriesOf(team, there.id, 'refused')
    expect(refused).toMatchObject({ error: { field: of.mailField, message: expect.stringMatching(/\w/) } })
    expect(source.leadIds).toContain(refused.leadId)
  },
)

it.each(someKinds(10, mapped))(
  '$kind that lacks a field of the mapping takes the record without it [DST-15]',
  async (of) => {
    const gone = [{ field: 'gone_field', from: 'headline', mode: 'always' as const }]
    const { team, there, resume } = await waiting(of, { mapping: gone })
    await resume()
    await world.drain()
    expect(there.people()).toHaveLength(2)
    expect(await there.shown()).toMatchObject({ state: 'active', pausedReason: null, counts: { delivered: 2 } })
    expect((await deliveriesOf(team, there.id))[0]).toMatchObject({ error: { field: 'gone_field' } })
  },
)

describe.each(kinds.filter(({ hasQuota }) => hasQuota))('$kind', (of) => {
  it('whose calls of the day are used up pauses as quota, and goes on by itself [DST-09]', async () => {
    const { there, source, resume } = await waiting(of)
    await resume()
    misbehave(world, of, { kind: 'quota' })
    await world.drain()
    expect(await there.shown()).toMatchObject({ state: 'paused', pausedReason: 'quota', counts: { waiting: 2 } })
    await forgetLeases(world)
    await world.advance('1h')
    await world.advance('24h')
    expectOnce(there, source.handles)
    expect(await there.shown()).toMatchObject({ state: 'active', pausedReason: null })
  })
})

describe('a record', () => {
  it('follows the verdict of criteria that are saved later; nobody new is delivered by that, and no message is sent again [DST-06, DST-11]', async () => {
    const team = await world.team()
    const there = await place(world, team, hubspot)
    const channel = await place(world, team, slack)
    const { username } = await capture(world, team, [{ title: 'Head of Growth' }, { title: 'Engineer' }])
    const rules = [{ column: 'jobTitle', operator: 'contains', value: 'Growth' }]
    expect((await team.put(`/profile/${username}/icp`, { rules })).status).toBe(200)
    await forgetLeases(world)
    await world.drain()
    expect(
      there
        .people()
        .map((text) => JSON.parse(text).properties.les_is_icp)
        .toSorted(),
    ).toEqual(['false', 'true'])
    expect(channel.people()).toHaveLength(2)
  })

  it('of somebody with the same mail there is adopted [DST-07]', async () => {
    const mapping = [{ field: 'email', from: 'jobTitle', mode: 'always' as const }]
    const { there, resume } = await waiting(hubspot, { mapping, people: [{ title: 'ada@example.com' }] })
    world.network.twins.hubspot.change(there.mark, {
      do: 'create',
      object: 'contacts',
      properties: { email: 'ada@example.com', firstname: 'Augusta' },
    })
    await resume()
    await world.drain()
    expect(there.people()).toHaveLength(1)
    expect(there.people()[0]).toContain('les_person_key')
  })
})

describe('a day of files', () => {
  it('is closed by its manifest the next day; a repeat after a death writes no second file [DST-12]', async () => {
    const [s3] = kinds.filter(({ kind }) => kind === 's3') as [Kind]
    const { there, resume } = await waiting(s3)
    await resume()
    await dieAt(world, 'destination.sent')
    const objects = () => world.network.twins.s3.view(there.mark).objects.filter(({ key }) => key.startsWith('leads/'))
    const day = (await world.now()).toISOString().slice(0, 10)
    expect(objects()).toHaveLength(1)
    expect(objects()[0]).toMatchObject({ key: expect.stringContaining(`leads/${day}/part-`), writes: 1 })
    await world.advance('1h')
    expect(objects()).toHaveLength(1)
    await forgetLeases(world)
    await world.advance('30h')
    const manifest = objects().find(({ key }) => key === `leads/${day}/manifest.json`)
    expect(JSON.parse(manifest!.text)).toMatchObject({
      day,
      parts: [objects()[0]!.key].filter((key) => key !== manifest!.key),
    })
    await world.advance('24h')
    expect(objects()).toHaveLength(2)
  })
})

it('no answer, audit entry or error carries credentials [DST-01]', async () => {
  const team = await world.team()
  const said: string[] = []
  for (const of of kinds) {
    const there = await place(world, team, of)
    const secrets = [
      ...there.secret.matchAll(/"(?:webhookUrl|accessToken|secretAccessKey|clientSecret|private_key)":"([^"]+)"/g),
    ]
    misbehave(world, of, { kind: 'status', status: 401 })
    for (const path of ['', '/deliveries', '/fields'])
      said.push((await team.get(`/destinations/${there.id}${path}`)).text)
    for (const path of ['/check', '/test']) said.push((await team.post(`/destinations/${there.id}${path}`, {})).text)
    const refusedBody = { ...of.body(world, there.mark), kind: of.kind, name: 'x', colour: 'red' }
    said.push((await team.post('/destinations', refusedBody)).text)
    said.push(
      JSON.stringify((await world.database.pool.query('select * from audit_entry where team_id = $1', [team.id])).rows),
    )
    said.push(
      JSON.stringify((await world.database.pool.query('select * from destination where team_id = $1', [team.id])).rows),
    )
    expect(secrets.length).toBeGreaterThan(0)
    for (const [, secret] of secrets) expect(said.join('\n')).not.toContain(secret)
  }
})

it('stages and deals of HubSpot become results, once, and only what came after the person was captured [RSL-06]', async () => {
  const team = await world.team()
  const there = await place(world, team, hubspot)
  await capture(world, team, fans(3))
  const twin = world.network.twins.hubspot
  const ids = there.people().map((text) => JSON.parse(text).id as string)
  const set = (id: string, lifecyclestage: string, at: string) =>
    twin.change(there.mark, { do: 'set', object: 'contacts', id, properties: { lifecyclestage }, at })
  const soon = new Date((await world.now()).getTime() + 60_000).toISOString()
  set(ids[0]!, 'opportunity', soon)
  set(ids[1]!, 'customer', '2020-01-01T00:00:00.000Z')
  twin.change(there.mark, {
    do: 'deal',
    contact: ids[2]!,
    properties: { hs_is_closed_won: 'true', amount: '900', deal_currency_code: 'EUR', closedate: soon },
  })
  const total = async () => {
    await forgetLeases(world)
    await world.advance('61m')
    return (await team.get('/results/summary?groupBy=source')).body.total
  }
  const found = { meetings: 1, won: 1, amount: 900, currency: 'EUR' }
  expect(await total()).toMatchObject(found)
  expect(await total()).toMatchObject(found)
  const { rows } = await world.database.pool.query('select origin from result where team_id = $1', [team.id])
  expect(rows).toEqual([{ origin: 'crm' }, { origin: 'crm' }])
})
