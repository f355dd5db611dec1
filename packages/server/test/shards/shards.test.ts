/** Teams spread over several schemas of one database (docs/scaling.md): each is worked on and answered in its own schema only. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { slackDestination } from '../destinations/stage.ts'
import { memberOf, signUp } from '../dashboard/stage.ts'
import { happens, post, sent } from '../results/stage.ts'
import { capture } from '../scenarios/outreach-stage.ts'
import { createWorld, useWorld, type Team } from '../world/world.ts'
import { rowsByShard } from './stage.ts'

const boss = 'boss@example.com'
const three = { shards: 3, operators: [boss] }

describe('several shards', () => {
  const world = useWorld({ config: three })
  const teams: Team[] = []
  beforeAll(async () => {
    for (let count = 0; count < 3; count++) teams.push(await world.team({ credits: 1_000 }))
    for (const team of teams) await capture(world, team, [{}, {}])
  })

  it('each get the next new team, and hold all that is known of it', async () => {
    const shards = await Promise.all(teams.map((team) => world.shardOf(team)))
    expect(shards.toSorted()).toEqual(['les_0', 'les_1', 'les_2'])
    for (const [at, team] of teams.entries()) {
      for (const table of ['lead', 'person', 'credit_entry', 'sync', 'source'])
        expect(Object.keys(await rowsByShard(world, table, team.id))).toEqual([shards[at]])
      const { leads } = (await team.get('/leads')).body
      expect(leads.map(({ enrichmentStatus }: { enrichmentStatus: string }) => enrichmentStatus)).toEqual([
        'completed',
        'completed',
      ])
      expect(await team.balance()).toBe(998)
    }
  })

  it('never show what is of another team: its leads, sources and exports are unknown there', async () => {
    const [one, other] = teams as [Team, Team]
    const [{ id: leadId }] = (await one.get('/leads')).body.leads
    const [{ id: sourceId }] = (await one.get('/sources')).body.sources
    expect((await other.get(`/leads/${leadId}/why`)).status).toBe(404)
    expect((await other.get(`/sources/${sourceId}/webhook`)).status).toBe(404)
    expect((await one.get(`/sources/${sourceId}/webhook`)).status).toBe(200)
  })

  it('answer nothing about a team to what did not say which: the tables are not there', async () => {
    await expect(sql`select 1 from lead`.execute(world.service.database.root)).rejects.toThrow(
      'relation "lead" does not exist',
    )
  })

  it('deliver, hear back and export, each team from its own', async () => {
    for (const team of teams) {
      const { messages } = await slackDestination(world, team)
      await capture(world, team, [{}])
      await world.drain()
      await expect.poll(async () => (await world.drain(), messages().length)).toBe(1)
      const { id } = (await team.post('/exports', { format: 'csv' })).body
      await world.drain()
      const { url } = (await team.get(`/exports/${id}`)).body
      const file = await (await fetch(world.url + new URL(url).pathname)).text()
      expect(file.trim().split('\r\n')).toHaveLength(4)
    }
    const stage = await sent(world, [{ handle: world.handle('fan') }])
    const handle = (await stage.team.get('/leads')).body.leads[0].linkedinUrl.split('/').pop()
    expect(await post(stage.resultsUrl, happens(world, stage, handle, 'replied'))).toBe(200)
    await world.drain()
    const { total } = (await stage.team.get('/results/summary')).body
    expect(total).toMatchObject({ replied: 1 })
  })

  it('are one service to a person and to the operator', async () => {
    const members = await Promise.all(teams.map((team) => memberOf(world, team, 'owner')))
    for (const at of teams.keys()) expect((await members[at]!.get('/v1/leads')).body.leads.length).toBeGreaterThan(0)
    const { teams: margins } = (await world.operator('GET', '/operator/margins')).body
    const listed = margins.map(({ teamId }: { teamId: string }) => teamId)
    expect(listed).toEqual(expect.arrayContaining(teams.map(({ id }) => id)))
    for (const { id } of teams)
      expect((await world.operator('GET', `/operator/teams/${id}`)).body.team.credits.balance).toBeLessThan(1_000)
    const [lead] = (await teams[1]!.get('/leads')).body.leads
    const profileUrl = lead.linkedinUrl
    const erased = await world.operator('POST', '/operator/privacy/erasures', { profileUrl })
    expect(erased.body.erasures.map(({ teamId }: { teamId: string }) => teamId)).toContain(teams[1]!.id)
    const { erasures } = (await world.operator('GET', '/operator/privacy/erasures')).body
    expect(erasures).toEqual(erased.body.erasures)
  })

  it('try failed work again where it is, and are one queue to an operator', async () => {
    const broken = [
      await world.team({ credits: 100 }),
      await world.team({ credits: 100 }),
      await world.team({ credits: 100 }),
    ]
    const operator = await signUp(world, { email: boss })
    for (const team of broken) {
      const lead = sql.table(`${await world.shardOf(team)}.lead`)
      await sql`alter table ${lead} add constraint broken check (team_id <> ${sql.lit(team.id)}) not valid`.execute(
        world.database.root,
      )
      await capture(world, team, [{}])
    }
    const { body } = await operator.send('GET', '/app/api/operator/overview')
    const kinds = body.queues.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual([...new Set(kinds)])
    const failing = new Set(body.poison.map(({ teamId }: { teamId: string }) => teamId))
    expect(failing).toEqual(new Set(broken.map(({ id }) => id)))
    for (const { kind, teamId, id } of body.poison) {
      const lead = sql.table(`${await world.shardOf(broken.find((team) => team.id === teamId)!)}.lead`)
      await sql`alter table ${lead} drop constraint if exists broken`.execute(world.database.root)
      expect((await operator.send('POST', '/app/api/operator/poison/retry', { kind, teamId, id })).body).toEqual({
        due: true,
      })
    }
    await world.drain()
    for (const team of broken) expect(await team.balance()).toBe(99)
  })

  it('end a team in its own: its rows go when its time has come, those of others stay', async () => {
    const ended = await world.team()
    await capture(world, ended, [{}])
    const others = await Promise.all(teams.map((team) => rowsByShard(world, 'lead', team.id)))
    expect((await world.operator('DELETE', `/operator/teams/${ended.id}`)).status).toBe(200)
    await world.advance('31d')
    expect(await rowsByShard(world, 'lead', ended.id)).toEqual({})
    expect((await world.operator('GET', `/operator/teams/${ended.id}`)).status).toBe(404)
    expect(await Promise.all(teams.map((team) => rowsByShard(world, 'lead', team.id)))).toEqual(others)
  })

  it('run what is periodic in each: every team is swept the next day', async () => {
    const spread = [await world.team(), await world.team(), await world.team()]
    expect(new Set(await Promise.all(spread.map((team) => world.shardOf(team)))).size).toBe(3)
    for (const team of spread) await capture(world, team, [{}])
    const runs = (team: Team) => rowsByShard(world, 'sync', team.id)
    const before = await Promise.all(spread.map(runs))
    await world.advance('25h')
    for (const [at, team] of spread.entries()) {
      const [shard] = Object.keys(before[at]!)
      expect(await runs(team)).toEqual({ [shard!]: before[at]![shard!]! + 1 })
    }
  })
})

describe('a database with one shard', () => {
  it('is spread when it is started with more: what is there stays as it was, new teams go elsewhere', async () => {
    const world = await createWorld({ config: { shards: 1 } })
    const team = await world.team({ credits: 1_000 })
    await capture(world, team, [{}, {}])
    const before = (await team.get('/leads')).text
    await world.service.stop()
    const later = await createWorld({ config: three, overrides: { connection: world.database.connection } })
    const answer = await fetch(`${later.url}/api/v1/leads`, { headers: { 'x-api-key': team.apiKey } })
    expect(await answer.text()).toBe(before)
    expect(await world.shardOf(team)).toBe('les_0')
    const next = await later.team()
    expect(await world.shardOf(next)).toBe('les_1')
    await later.close()
    await world.database.drop()
  })
})
