/** Which leads go to destinations and files: filters on an agent's list, and each person's newest matching lead. */
import { expect, it } from 'vitest'
import { capture, ok } from '../scenarios/outreach-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { kinds, place } from './kinds.ts'
import { exclude } from '../trust/exclusions-stage.ts'
import { deliveriesOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function linesOf(team: Team, filters: object[], preset?: string): Promise<string[]> {
  const { id } = await ok(
    team.post('/exports', { format: 'csv', filters, ...(preset === undefined ? {} : { preset }) }),
  )
  await world.drain()
  const text = await (await fetch((await ok(team.get(`/exports/${id}`))).url)).text()
  return text.trim().split('\r\n').slice(1)
}

/** Records that an agent saw a person with signals of these strengths, 0 being the strongest. */
async function seen(team: Team, handle: string, signals: readonly number[]): Promise<void> {
  const client = await world.database.pool.connect()
  // Triggers are disabled, and with them the routing of the views over all shards.
  await client.query('set session_replication_role = replica')
  const shard = await world.shardOf(team)
  for (const signal of signals)
    await client.query(
      `insert into ${shard}.agent_person (team_id, agent_id, person_urn, lead_id, detected_at, ended, waiting, listed, signal, engagements,
         source, judged, round)
       select team_id, gen_random_uuid(), person_urn, id, created_at, false, false, true, $3, 1, 0, '{}', 1
       from lead where team_id = $1 and linkedin_url like '%/' || $2`,
      [team.id, handle, signal],
    )
  await client.query('set session_replication_role = origin')
  client.release()
}

it('filters by reactions, replies and signals as an agent’s list names them [DST-03, DST-17]', async () => {
  const team = await world.team()
  const [praises, likes] = [world.handle('praises'), world.handle('likes')]
  await capture(world, team, [{ handle: praises }, { handle: likes }])
  await world.database.pool.query(
    `update lead set reaction = 'Praise' where team_id = $1 and linkedin_url like '%/' || $2`,
    [team.id, praises],
  )
  await seen(team, praises, [3, 1])
  await seen(team, likes, [2])
  const found = async (column: string, operator: string, value: unknown) =>
    (await linesOf(team, [{ column, operator, value }])).map((line) => (line.includes(praises) ? praises : likes))
  expect(await found('engagementType', 'equals', 'Praise')).toEqual([praises])
  expect(await found('engagementType', 'equals', 'Like')).toEqual([likes])
  expect(await found('signal', 'equals', 'strong')).toEqual([praises])
  expect(await found('signal', 'in', ['medium', 'weak'])).toEqual([likes])
  expect(await found('signal', 'not_in', ['medium', 'weak'])).toEqual([praises])
})

it('an export for an importer has everybody of whom some lead passes, by the newest that does [DST-17]', async () => {
  const team = await world.team()
  const fan = world.handle('fan')
  await capture(world, team, [{ handle: fan, comment: 'First words' }])
  await capture(world, team, [{ handle: fan, comment: 'Last words' }])
  await capture(world, team, [{ handle: fan }])
  const filters = [{ column: 'engagementType', operator: 'equals', value: 'Comment' }]
  const lines = await linesOf(team, filters, 'clay')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(fan)
})

it('somebody goes by the newest lead that may go, also where a newer one is of their own employer [DST-03, EXC-10]', async () => {
  const team = await world.team()
  await ok(team.put('/exclusions/settings', { worksAtSource: true }))
  const hubspot = await place(world, team, kinds.find(({ kind }) => kind === 'hubspot')!)
  const [acme, fan] = [world.handle('acme'), world.handle('fan')]
  world.network.seedCompany({ slug: acme })
  world.network.seedPost({ author: { company: acme }, reactions: [{ person: fan }] })
  await capture(world, team, [{ handle: fan, company: acme }])
  await ok(team.post('/enrich/company', { username: acme, saveTrackedProfile: true }))
  await world.drain()
  const { leads } = await ok(team.get('/leads'))
  expect(leads.map((lead: { excluded: object | null }) => lead.excluded === null)).toEqual([false, true])
  await ok(team.post(`/destinations/${hubspot.id}/push`, {}))
  await world.drain()
  expect((await deliveriesOf(team, hubspot.id)).map(({ state }) => state)).not.toContain('excluded')
  expect(hubspot.people().filter((text) => text.includes(fan))).toHaveLength(1)
})

it('a note names a post by its author, as the list of leads does [DST-07]', async () => {
  const team = await world.team()
  const hubspot = await place(world, team, kinds.find(({ kind }) => kind === 'hubspot')!)
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: author, name: 'Grace Example' })
  const post = world.network.seedPost({ author, reactions: [{ person: fan }] })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })).status).toBe(201)
  await world.drain()
  const { leads } = await ok(team.get('/leads'))
  expect(leads[0].sourceLabel).toBe('Post by Grace Example')
  const { notes } = world.network.twins.hubspot.view(hubspot.mark) as unknown as {
    notes: { properties: { hs_note_body: string } }[]
  }
  expect(notes[0]!.properties.hs_note_body).toContain('Post by Grace Example')
})

it('who could not be enriched goes by a push alone: nobody knows whether they are excluded by what they do [DST-06, EXC-07]', async () => {
  const team = await world.team()
  const there = await place(world, team, kinds.find(({ kind }) => kind === 'hubspot')!)
  const handle = world.handle('fan')
  world.network.seedPerson({ handle, company: 'acme' })
  await exclude(team, [{ kind: 'company', value: 'acme' }])
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'not_found', operation })
  const { leadIds } = await capture(world, team, [{ handle }])
  world.network.clearFaults()
  await world.drain()
  expect(there.people()).toEqual([])
  expect(await ok(team.post(`/destinations/${there.id}/push`, { leadIds }))).toMatchObject({ queued: 1 })
  await world.drain()
  expect(there.people()).toHaveLength(1)
})
