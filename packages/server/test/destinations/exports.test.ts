import { describe, expect, it } from 'vitest'
import { capture, fans } from '../scenarios/outreach-stage.ts'
import { testShards } from '../world/shards.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function exported(
  team: Team,
  body: Record<string, unknown>,
): Promise<{ lines: string[]; answer: Record<string, any>; text: string }> {
  const begun = await team.post('/exports', body)
  expect([begun.status, begun.body.state, begun.body.url]).toEqual([200, 'running', null])
  await world.drain()
  const { body: answer } = await team.get(`/exports/${begun.body.id}`)
  expect(answer).toMatchObject({ state: 'done', url: expect.stringContaining('/exports/') })
  const file = await fetch(answer.url)
  expect(file.status).toBe(200)
  const text = await file.text()
  return { answer, text, lines: text.trim().split(/\r?\n/) }
}

const add = (team: Team, kind: string, value: string) => team.post('/exclusions', { entries: [{ kind, value }] })

describe('an export', () => {
  it('holds all leads that pass, behind an address that needs no key, until 24 hours later [DST-17]', async () => {
    const team = await world.team()
    await capture(world, team, [{ title: '=IMPORTXML("http://x")' }, { title: 'Head of Growth' }])
    const { lines, answer, text } = await exported(team, { format: 'csv' })
    expect(lines).toHaveLength(3)
    expect(answer.rows).toBe(2)
    // Spreadsheet formulas become text.
    expect(text).not.toMatch(/(?:^|,)"?=IMPORTXML/m)
    const filters = [{ column: 'jobTitle', operator: 'contains', value: 'Growth' }]
    const narrowed = await exported(team, { format: 'jsonl', filters })
    expect(narrowed.lines.map((line) => JSON.parse(line))).toMatchObject([{ jobTitle: 'Head of Growth' }])
    // Changes the proof's first character: some bits of its last one are unused.
    const [, first] = /(.)[\w-]{42}\/leads/.exec(answer.url)!
    const forged = answer.url.replace(/.([\w-]{42}\/leads)/, `${first === 'A' ? 'B' : 'A'}$1`)
    expect((await fetch(forged)).status).toBe(404)
    await world.advance('25h')
    expect((await fetch(answer.url)).status).toBe(404)
    expect((await team.get(`/exports/${answer.id}`)).status).toBe(404)
  })

  it('for a platform has a row a person in the columns of its importer [DST-17]', async () => {
    const team = await world.team()
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan, name: 'Ada Example' }])
    await capture(world, team, [{ handle: fan, comment: 'Again' }])
    for (const [preset, column] of [
      ['hubspot', 'LinkedIn URL'],
      ['heyreach', 'profileUrl'],
      ['instantly', 'linkedin'],
      ['smartlead', 'linkedin_profile'],
      ['clay', 'LinkedIn Profile'],
      ['apollo', 'Person Linkedin Url'],
    ]) {
      const { lines } = await exported(team, { format: 'csv', preset })
      const columns = lines[0]!.replace('\uFEFF', '').split(',')
      expect([preset, lines.length, columns.includes(column!), lines[1]!.includes(fan)]).toEqual([
        preset,
        2,
        true,
        true,
      ])
    }
  })

  it('goes on where a dead process left it, without a row twice [DST-17]', async () => {
    const team = await world.team()
    await capture(world, team, fans(3))
    await world.arm('export.written')
    const { id } = (await team.post('/exports', { format: 'csv' })).body
    await world.drain().catch(() => undefined)
    await world.database.pool.query('update lead_export set lease_until_ms = 0 where lease_until_ms is not null')
    await world.drain()
    const { body } = await team.get(`/exports/${id}`)
    expect(body).toMatchObject({ state: 'done', rows: 3 })
    const lines = (await (await fetch(body.url)).text()).trim().split('\r\n')
    expect([lines.length, new Set(lines).size]).toEqual([4, 4])
  })

  it('is refused with words about the field, and seen by its own team alone [DST-17]', async () => {
    const [team, stranger] = [await world.team(), await world.team()]
    for (const body of [{}, { format: 'xls' }, { format: 'csv', preset: 'fax' }, { format: 'csv', colour: 'red' }])
      expect((await team.post('/exports', body)).status).toBe(400)
    const { id } = (await team.post('/exports', { format: 'csv' })).body
    expect((await stranger.get(`/exports/${id}`)).status).toBe(404)
  })
})

it('a file for an importer has nobody of whom it is not known yet whether they are excluded by where they work [EXC-07, DST-17]', async () => {
  const team = await world.team()
  const [fan, other] = [world.handle('fan'), world.handle('fan')]
  await add(team, 'company', 'acme')
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_503', operation })
  await capture(world, team, [{ handle: fan, company: 'acme' }, { handle: other }])
  const asked = { format: 'csv', preset: 'heyreach' }
  expect((await exported(team, asked)).answer.rows).toBe(0)
  expect((await exported(team, { format: 'csv' })).answer.rows).toBe(2)
  world.network.clearFaults()
  await world.advance('1h')
  const { answer, text } = await exported(team, asked)
  expect([answer.rows, text.includes(fan), text.includes(other)]).toEqual([1, false, true])
})

it('a file of nobody, since all are excluded, is there in each format [EXC-07, DST-17]', async () => {
  const team = await world.team()
  await capture(world, team, [{ title: 'Intern' }])
  await team.post('/exclusions', { entries: [{ kind: 'title', value: 'intern' }] })
  await world.move('1m')
  for (const [format, content] of [
    ['csv', 'profileUrl,firstName,lastName,companyName,position,location,emailAddress'],
    ['jsonl', ''],
  ]) {
    const { answer, lines } = await exported(team, { format, preset: 'heyreach' })
    expect([format, answer.rows, lines]).toEqual([format, 0, [content]])
  }
})

describe('a file that is older than an exclusion', () => {
  const since = async (change: (team: Team, fan: string) => Promise<unknown>) => {
    const team = await world.team()
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan, title: 'Intern' }, { title: 'CTO' }])
    const made = await exported(team, { format: 'csv', preset: 'heyreach' })
    await world.move('1m')
    await change(team, fan)
    const file = await fetch(made.answer.url)
    return { team, fan, made, status: file.status, text: await file.text() }
  }
  it.each<[string, (team: Team, fan: string) => Promise<unknown>]>([
    ['of a person', (team, fan) => add(team, 'person', fan)],
    ['of a title', (team) => add(team, 'title', 'intern')],
    ['by an objection', (team, fan) => team.post('/privacy/objections', { profileUrl: fan })],
    ['by a setting', (team) => team.put('/exclusions/settings', { worksAtSource: true })],
    ['by a reply', (team, fan) => team.post('/results', { results: [{ profileUrl: fan, outcome: 'replied' }] })],
  ])('%s is gone, and made anew without them [EXC-07, DST-17]', async (_what, change) => {
    const { team, fan, made, status, text } = await since(change)
    expect(made.text).toContain(fan)
    expect([status, JSON.parse(text)]).toEqual([
      410,
      expect.objectContaining({ code: 'export_outdated', error: expect.stringContaining('make it anew') }),
    ])
    expect(text).not.toContain(fan)
    await world.move('1m')
    expect((await exported(team, { format: 'csv', preset: 'heyreach' })).lines.length).toBeGreaterThan(1)
  })

  it('of somebody who is found by a look-up to be what is listed is gone [EXC-07, DST-17]', async () => {
    const [team, fan] = [await world.team(), world.handle('fan')]
    await add(team, 'title', 'intern')
    await capture(world, team, [{ handle: fan, title: 'CTO' }])
    const { answer } = await exported(team, { format: 'csv', preset: 'heyreach' })
    await world.move('1m')
    world.network.seedPerson({ handle: fan, title: 'Intern' })
    await team.post('/enrich/profile', { username: fan })
    await world.drain()
    expect((await fetch(answer.url)).status).toBe(410)
  })

  it('of somebody whose newer lead alone says why is gone [EXC-07, DST-17]', async () => {
    const team = await world.team()
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan, title: 'CTO' }])
    await world.move('40d')
    const { answer } = await exported(team, { format: 'csv', preset: 'heyreach' })
    await world.move('1h')
    await capture(world, team, [{ handle: fan, title: 'Intern' }])
    await world.move('1m')
    expect((await add(team, 'title', 'intern')).body.matchingLeads).toBe(2)
    expect((await fetch(answer.url)).status).toBe(410)
  })

  it('of somebody who is not in it stays [EXC-07, DST-17]', async () => {
    const { status } = await since((team) => add(team, 'person', world.handle('stranger')))
    expect(status).toBe(200)
  })

  it('that is asked for while somebody is being excluded has nothing of them [EXC-07, DST-17]', async () => {
    const team = await world.team()
    const fan = world.handle('fan')
    await capture(world, team, [{ handle: fan }, {}])
    const held = await world.database.pool.connect()
    const until = async (waits: string) => {
      while (
        (await world.database.pool.query(`select 1 from pg_locks where not granted and ${waits}`)).rows.length === 0
      );
    }
    // The call that adds the entry waits before its write.
    const table = testShards > 1 ? `${await world.shardOf(team)}.exclusion` : 'exclusion'
    await held.query(`begin; lock table ${table} in share mode`)
    const adding = add(team, 'person', fan)
    await until(`relation = '${table}'::regclass`)
    const asking = team.post('/exports', { format: 'csv', preset: 'heyreach' })
    await Promise.race([asking.then(() => world.drain()), until(`locktype = 'advisory'`)])
    await held.query('rollback')
    held.release()
    expect((await adding).status).toBe(201)
    const { id } = (await asking).body
    await world.drain()
    const { url, rows } = (await team.get(`/exports/${id}`)).body
    expect(rows).toBe(1)
    expect(await (await fetch(url)).text()).not.toContain(fan)
  })
})
