/** A source has the same label everywhere in the API, and a person's name everywhere on the dashboard. */
import { beforeAll, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { onlySeeded, run, topic } from './keyword-run-stage.ts'
import { likes, people, sweep } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

it('a search has its own name, a post its author, a person their handle; at the dashboard their name [LED-22, CRD-06, G15, G39]', async () => {
  const [team, word, author] = [await world.team(), topic(world), world.handle('author')]
  const inbox = await world.inbox()
  world.network.seedPerson({ handle: author, name: 'Petra Post' })
  const post = world.network.seedPost({
    author,
    text: 'Tracked by itself',
    reactions: likes(people(world, 1)),
    comments: [],
  })
  world.network.seedPost({
    author: world.handle('author'),
    text: word,
    reactions: likes(people(world, 1)),
    comments: [],
  })
  const person = (await sweep(world, team, author)).sourceId
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })).status).toBe(201)
  await world.drain()
  const [tracked] = (await team.get('/sources?type=post')).body.sources
  const search = await run(world, team, { keyword: word, name: 'Buyers', enrichLeads: true })
  const expected = { [person]: author, [tracked.id]: 'Post by Petra Post', [search.id]: 'Buyers' }
  const shown = { ...expected, [person]: 'Petra Post' }

  const { leads } = (await team.get('/leads')).body
  expect(
    Object.fromEntries(
      leads.map((lead: { sourceId: string; sourceLabel: string }) => [lead.sourceId, lead.sourceLabel]),
    ),
  ).toEqual(expected)
  const { bySource } = (await team.get('/credits/usage')).body
  expect(
    Object.fromEntries(bySource.map((row: { sourceId: string; label: string }) => [row.sourceId, row.label])),
  ).toEqual(expected)
  const viewer = await memberOf(world, team, 'viewer')
  for (const lead of leads) {
    const { engagements } = (await viewer.get(`/leads/${lead.id}`)).body
    expect(engagements.find(({ source }: { source: { id: string } }) => source.id === lead.sourceId).source.label).toBe(
      shown[lead.sourceId],
    )
  }
  const { sources } = (await viewer.get('/sources/names')).body
  expect(Object.fromEntries(sources.map(({ id, label }: { id: string; label: string }) => [id, label]))).toEqual(shown)
  // A member of another team sees only that team's sources, of which there are none.
  const stranger = await memberOf(world, await world.team(), 'owner')
  expect((await stranger.get('/sources/names')).body).toEqual({ sources: [] })
  await team.put(`/sources/${search.id}/webhook`, { webhookUrl: inbox.url })
  await team.post(`/sources/${search.id}/push`, {})
  await world.drain()
  expect(inbox.received.map(({ body }) => body.lead.sourceLabel)).toEqual(['Buyers'])
})
