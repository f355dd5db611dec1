/** The privacy desk: finding and exporting people, objections, and the operator's erasures over all teams. */
import { describe, expect, it } from 'vitest'
import { fastClock, likes, sweep, track } from '../scenarios/sync-stage.ts'
import { chargeOne } from '../world/charge.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { exclude, excludedBy } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

describe('somebody who is looked for', () => {
  it('is found by address, handle, member id and a part of the name, by none of them in another team, and once erased by an exact name alone [PRV-01, PRV-09]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    const name = `Zoë ${world.handle('name').replaceAll('-', '')}`
    const { id: memberId } = world.network.seedPerson({ handle: fan, name })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [{ person: fan, text: 'Yes' }] })
    await sweep(world, team, author)
    const find = async (query: string, by = team) =>
      (await by.get(`/privacy/people?query=${encodeURIComponent(query)}`)).body.people
    const [found] = await find(fan)
    expect(found).toEqual({
      personId: found.personId,
      name,
      linkedinUrl: `https://www.linkedin.com/in/${fan}`,
      leads: 2,
      firstSeenAt: '2026-11-21T09:00:00.000Z',
      lastSeenAt: '2026-11-21T09:00:00.000Z',
      erasedAt: null,
    })
    const exact = [`https://de.linkedin.com/in/${fan.toUpperCase()}/`, `@${fan}`, memberId]
    for (const query of [...exact, name, name.slice(2).toUpperCase()]) expect(await find(query)).toEqual([found])
    for (const query of [fan, memberId, name]) expect(await find(query, stranger)).toEqual([])
    expect(await find(`${fan}@mail.example`)).toEqual([])

    await team.post('/privacy/erasures', { personId: found.personId })
    const erased = {
      ...{ personId: found.personId, name: null, linkedinUrl: null, leads: 0, firstSeenAt: null, lastSeenAt: null },
      erasedAt: '2026-11-21T09:00:00.000Z',
    }
    for (const query of exact) expect(await find(query)).toEqual([erased])
    for (const query of [name, fan.slice(0, -1)]) expect(await find(query)).toEqual([])
    expect((await team.get(`/privacy/people/${found.personId}/export`)).status).toBe(404)
    expect((await team.get('/privacy/people')).status).toBe(400)
  })
})

describe('what somebody was charged for', () => {
  it('is all of it: as a person of a source, and for enriching a lead of theirs on request [PRV-02]', async () => {
    const [team, author, fan] = [await world.team({ credits: 10 }), world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author, reactions: likes([fan, world.handle('other')]), comments: [] })
    await sweep(world, team, author)
    const { rows } = await world.database.pool.query(
      'select id, source_id from lead where team_id = $1 and linkedin_url like $2',
      [team.id, `%/${fan}`],
    )
    const key = `enrich:${rows[0].source_id}:${rows[0].id}`
    await world.unit(team, (tx) =>
      chargeOne(tx, team.id, { key, category: 'enrichment', sourceId: null, syncId: null }),
    )
    const { people } = (await team.get(`/privacy/people?query=${fan}`)).body
    const { facts } = (await team.get(`/privacy/people/${people[0].personId}/export`)).body
    const charges = facts.filter(({ about }: { about: string }) => about === 'charge')
    expect(charges.map(({ value }: { value: object }) => value)).toEqual([
      expect.objectContaining({ category: 'source', amount: -1, sourceId: rows[0].source_id }),
      expect.objectContaining({ category: 'enrichment', amount: -1, sourceId: null }),
    ])
  })
})

const teamIds = (answer: { body: { erasures: { teamId: string }[] } }) =>
  answer.body.erasures.map(({ teamId }) => teamId).sort()

describe('the operator', () => {
  it('erases somebody in every team that held them, with a receipt each, and blocks them in all [PRV-09]', async () => {
    const [first, second, third] = [await world.team(), await world.team(), await world.team()]
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPerson({ handle: fan })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    for (const team of [first, second]) await sweep(world, team, author)
    const asked = { profileUrl: `https://www.linkedin.com/in/${fan}`, reason: 'by letter' }
    // A team that fails does not hold up the others.
    await world.arm('erasure.begun')
    expect((await world.operator('POST', '/operator/privacy/erasures', asked)).status).toBe(500)
    const begun = await Promise.all([first, second].map((team) => team.get('/privacy/erasures')))
    expect(begun.map(({ body }) => body.total)).toContain(1)
    const made = await world.operator('POST', '/operator/privacy/erasures', asked)
    expect(made.status, made.text).toBe(201)
    expect(teamIds(made)).toEqual([first.id, second.id].sort())
    for (const { teamId, id } of made.body.erasures) {
      const team = [first, second].find((one) => one.id === teamId)!
      expect((await team.get(`/privacy/erasures/${id}`)).body).toMatchObject({ id, reason: 'by letter' })
      expect((await team.get('/leads')).body.total).toBe(0)
    }
    // A team that held nothing of them has them blocked, too.
    const balance = await third.balance()
    await sweep(world, third, author)
    expect([(await third.get('/leads')).body.total, await third.balance()]).toEqual([0, balance])
    expect((await world.operator('POST', '/operator/privacy/erasures', asked)).body).toEqual(made.body)
    const listed = await world.operator('GET', '/operator/privacy/erasures')
    expect(teamIds(listed)).toEqual(expect.arrayContaining([first.id, second.id]))
    expect((await world.operator('POST', '/operator/privacy/erasures', { name: 'x' })).status).toBe(400)
  })

  it('erases somebody though the rows of another team are just being removed for good [PRV-09, PRV-13]', async () => {
    const [first, ended, last] = [await world.team(), await world.team(), await world.team()]
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPerson({ handle: fan })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    for (const team of [first, ended, last]) await sweep(world, team, author)
    // Everything of the team is gone except the team's own row.
    await world.arm('team-end.team-removed')
    expect((await world.operator('DELETE', `/operator/teams/${ended.id}?now=true`)).status).toBe(500)
    const made = await world.operator('POST', '/operator/privacy/erasures', { profileUrl: fan })
    expect(made.status, made.text).toBe(201)
    expect(teamIds(made)).toEqual([first.id, last.id].sort())
    await world.runTask('remove teams that have ended')
    expect((await world.operator('GET', `/operator/teams/${ended.id}`)).status).toBe(404)
  })
})

describe('somebody who objects', () => {
  it('is delivered nowhere from then on, and stays captured; again it is the same entry, and erasing takes it [PRV-10]', async () => {
    const team = await world.team({ credits: 500 })
    const inbox = await world.inbox()
    const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
    for (const handle of [fan, other]) world.network.seedPerson({ handle })
    world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
    const profileUrl = `https://www.linkedin.com/in/${fan}`
    // Never captured so far.
    const made = await team.post('/privacy/objections', { profileUrl })
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...{ id: made.body.id, kind: 'person', value: fan, list: 'do_not_contact', reason: 'objection', origin: 'api' },
        ...{ createdBy: made.body.createdBy, createdAt: (await world.now()).toISOString(), repeated: false },
      },
    ])
    await track(team, author)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: true })
    await world.drain()
    const { leads } = (await team.get('/leads')).body
    expect(leads).toHaveLength(2)
    expect(inbox.received.map(({ body }) => body.lead.linkedinUrl)).toEqual([expect.stringContaining(other)])
    const again = await team.post('/privacy/objections', { profileUrl: `@${fan}` })
    expect([again.status, again.body]).toEqual([200, { ...made.body, repeated: true }])
    expect((await team.post('/privacy/objections', { profileUrl, note: 'x' })).body.code).toBe('unknown_field')

    expect((await team.post('/privacy/erasures', { profileUrl })).status).toBe(201)
    expect((await team.get('/exclusions')).body.entries).toEqual([])
    const late = await team.post('/privacy/objections', { profileUrl })
    expect([late.status, late.body.error]).toEqual([400, expect.stringContaining('erased')])
    // Read as a handle, a mail address would mean another person.
    expect((await team.post('/privacy/objections', { profileUrl: 'jane@acme.com' })).status).toBe(400)
  })

  it('stays on the list when somebody is erased whose handle is a part of theirs [PRV-04, PRV-10, EXC-07]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, erased] = [world.handle('author'), world.handle('fan')]
    const others = [`${erased}-2`, `dr-${erased}`]
    world.network.seedPost({ author, reactions: likes([erased, ...others]), comments: [] })
    await sweep(world, team, author)
    // A person who was never seen is listed only by handle.
    for (const profileUrl of [...others, `${erased}-unseen`, erased])
      expect((await team.post('/privacy/objections', { profileUrl })).status).toBe(201)
    expect((await team.post('/privacy/erasures', { profileUrl: erased })).status).toBe(201)
    const { entries } = (await team.get('/exclusions')).body
    expect(entries.map(({ value }: { value: string }) => value).toSorted()).toEqual(
      [...others, `${erased}-unseen`].toSorted(),
    )
    expect(await excludedBy(team)).toEqual(Object.fromEntries(others.map((handle) => [handle, 'do_not_contact'])))
  })

  it.each(['adding them to', 'taking them off'])(
    'while somebody is %s another list is not left so [PRV-10]',
    async (how) => {
      const [team, fan] = [await world.team(), world.handle('fan')]
      const { pool } = world.database
      const table = `${await world.shardOf(team)}.exclusion`
      const isTaken = how === 'taking them off'
      if (isTaken) await exclude(team, [{ kind: 'person', value: fan }], 'competitors')
      const held = await pool.connect()
      try {
        await held.query('begin')
        await held.query(
          isTaken
            ? `delete from ${table} where team_id = $1 and value = $2`
            : `insert into ${table} (team_id, id, kind, key, value, list, origin, created_by, created_at)
              values ($1, gen_random_uuid(), 'person', $2, $2, 'competitors', 'api', 'A key', now())`,
          [team.id, fan],
        )
        world.network.fault({ kind: 'status_503' })
        const objecting = team.post('/privacy/objections', { profileUrl: fan })
        const waiting =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'"
        while ((await pool.query(waiting)).rows.length === 0);
        await held.query('commit')
        expect((await objecting).body).toMatchObject({ list: 'do_not_contact', reason: 'objection', repeated: false })
      } finally {
        world.network.clearFaults()
        await held.query('rollback')
        held.release()
      }
    },
  )

  it('is stopped though the network is silent, by the handle alone [PRV-10]', async () => {
    const team = await world.team()
    world.network.fault({ kind: 'status_503' })
    const made = await team.post('/privacy/objections', { profileUrl: world.handle('silent') })
    world.network.clearFaults()
    expect([made.status, made.body.reason]).toEqual([201, 'objection'])
  })
})
