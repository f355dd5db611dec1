/** Posts and sources name their author: their receivers are told of an erasure, and excluded authors' posts are not sent. */
import { describe, expect, it } from 'vitest'
import { ok } from '../scenarios/fit-stage.ts'
import { search, topic } from '../scenarios/keyword-run-stage.ts'
import { fastClock, likes, sweep, track } from '../scenarios/sync-stage.ts'
import { addDestination, slackDestination } from '../destinations/stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import type { Inbox } from '../world/inbox.ts'
import { exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

/** Events received, without `sync.completed`, which destinations get as well. */
const receivedBy = (inbox: Inbox) =>
  inbox.received.map(({ body }) => body).filter(({ event }) => event !== 'sync.completed')
const eventsOf = (inbox: Inbox) => receivedBy(inbox).map(({ event }) => event)
const erase = async (team: Team, profileUrl: string) => {
  const made = await team.post('/privacy/erasures', { profileUrl })
  expect(made.status, made.text).toBe(201)
  await world.drain()
  return (await ok(team.get(`/privacy/erasures/${made.body.id}`))).receipt
}

/** A posts-only source with one post, sent to its own webhook and to a destination. */
async function watched(team: Team, answers?: number) {
  const [own, wide] = [await world.inbox(), await world.inbox()]
  if (answers !== undefined) for (const inbox of [own, wide]) inbox.answer(answers)
  const username = world.handle('watched')
  world.network.seedPost({ author: username, text: 'Mine', reactions: [], comments: [] })
  const destination = await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
  world.network.hold()
  const asked = { username, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 10, confirmSpend: true }
  await ok(team.post('/enrich/profile', asked))
  await ok(team.put(`/profile/${username}/webhook`, { webhookUrl: own.url }))
  world.network.release()
  await world.drain()
  return { username, own, wide, destination }
}

describe('an author who is erased', () => {
  it('is told of to whoever got their posts, by a webhook or a destination, with the posts to delete by [PRV-07]', async () => {
    const team = await world.team()
    const { username, own, wide, destination } = await watched(team)
    expect([eventsOf(own), eventsOf(wide)]).toEqual([['post.detected'], ['post.detected']])
    const { postUrn } = receivedBy(own)[0]!.post
    const { toldDownstream } = await erase(team, username)
    for (const inbox of [own, wide])
      expect(receivedBy(inbox)[1]).toMatchObject({
        event: 'person.erased',
        person: { linkedinUrl: `https://www.linkedin.com/in/${username}`, externalKeys: [postUrn] },
      })
    expect(toldDownstream).toHaveLength(2)
    expect(toldDownstream).toContainEqual({ kind: 'webhook', id: destination.id, state: 'delivered' })
  })

  it('is told of to whoever got leads of others from them, which are not to be deleted [PRV-07, PRV-08]', async () => {
    const team = await world.team()
    const [own, wide] = [await world.inbox(), await world.inbox()]
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    const destination = await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
    const slack = await slackDestination(world, team)
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await track(team, author)
    await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: own.url, autoSend: true }))
    await world.drain()
    expect([eventsOf(own), eventsOf(wide)]).toEqual([['lead.detected'], ['lead.detected']])
    expect(slack.messages().length).toBeGreaterThan(0)
    expect(receivedBy(own)[0]!.source.username).toBe(author)
    const receipt = await erase(team, author)
    for (const inbox of [own, wide]) {
      expect(eventsOf(inbox)).toEqual(['lead.detected', 'person.erased'])
      expect(receivedBy(inbox)[1]!.person).toEqual({
        linkedinUrl: `https://www.linkedin.com/in/${author}`,
        externalKeys: [],
      })
    }
    expect(receipt.toldDownstream.map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
    expect(receipt.toldDownstream).toContainEqual({ kind: 'webhook', id: destination.id, state: 'delivered' })
    expect(receipt.notTold).toEqual(['slack'])
    expect((await ok(team.get('/leads?includeInactive=true'))).total).toBe(1)
  })

  it('is told of to whoever got a lead with the address of a post of theirs [PRV-07]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    const { id } = world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    const postUrl = `https://www.linkedin.com/posts/${author}_a-title-activity-${id}-abcd`
    expect((await team.post('/post/track', { postUrl })).status).toBe(201)
    const [source] = (await ok(team.get('/sources'))).sources
    await ok(team.put(`/sources/${source.id}/webhook`, { webhookUrl: inbox.url, autoSend: true }))
    await world.drain()
    expect(receivedBy(inbox)[0]!.lead.postUrl).toContain(author)
    await erase(team, author)
    expect(eventsOf(inbox)).toEqual(['lead.detected', 'person.erased'])
    expect(receivedBy(inbox)[1]!.person.externalKeys).toEqual([])
  })
})

describe('what waits for a receiver when an author is erased', () => {
  it('about their source and no lead is cancelled, since it named them; leads of others go without the name [PRV-04, WHK-12]', async () => {
    const [team, wide] = [await world.team(), await world.inbox()]
    wide.answer(500)
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    const before = wide.received.length
    wide.answer(200)
    await erase(team, author)
    await world.advance('2d')
    const { deliveries } = await ok(team.get('/deliveries'))
    expect(deliveries.map(({ event, state }: Record<string, string>) => `${event} ${state}`).sort()).toEqual([
      'lead.detected sent',
      'person.erased sent',
      'sync.completed cancelled',
    ])
    const leads = wide.received.slice(before).filter(({ body }) => body.event === 'lead.detected')
    expect(leads.map(({ raw }) => raw.includes(author))).toEqual([false])
  })

  it('about a namesake has their name when it is sent again [PRV-04]', async () => {
    const [team, wide] = [await world.team(), await world.inbox()]
    wide.answer(500)
    const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
    for (const handle of [fan, other]) world.network.seedPerson({ handle, name: 'Zoe Namesake' })
    await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
    world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
    await sweep(world, team, author)
    wide.answer(200)
    const before = wide.received.length
    await erase(team, fan)
    await world.advance('2d')
    const leads = wide.received.slice(before).flatMap(({ body }) => body.lead ?? [])
    expect(leads.map(({ name }) => name)).toEqual(['Zoe Namesake'])
  })

  it('about somebody else who was erased from their source is still told [PRV-07, PRV-08]', async () => {
    const [team, own] = [await world.team(), await world.inbox()]
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author, reactions: likes([fan, world.handle('other')]), comments: [] })
    await track(team, author)
    await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: own.url, autoSend: true }))
    await world.drain()
    own.answer(500)
    const { id } = await erase(team, fan)
    await erase(team, author)
    own.answer(200)
    await world.advance('2d')
    const [told] = (await ok(team.get(`/privacy/erasures/${id}`))).receipt.toldDownstream
    expect(told.state).toBe('delivered')
    const urls = receivedBy(own).flatMap(({ person }) => person?.linkedinUrl ?? [])
    expect(new Set(urls)).toEqual(new Set([fan, author].map((each) => `https://www.linkedin.com/in/${each}`)))
  })
})

it('whose posts a posts-only search finds after the erasure is neither stored, charged nor told of [PRV-06]', async () => {
  const [team, wide] = [await world.team({ credits: 100 }), await world.inbox()]
  const [author, other, word] = [world.handle('author'), world.handle('other'), topic(world)]
  await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
  await erase(team, author)
  const posts = [author, other].map((by) => ({ author: by, text: `About ${word}`, reactions: [], comments: [] }))
  world.network.seedSearch({ posts, generated: false })
  const balance = await team.balance()
  await search(team, { keywords: [word], mode: 'posts_only', postsPerSync: 10 })
  await world.drain()
  const { entries } = await ok(team.get('/credits/ledger?kind=free'))
  expect([await team.balance(), entries]).toMatchObject([balance - 1, [{ reason: 'blocked' }]])
  expect(eventsOf(wide).filter((event) => event === 'post.detected')).toHaveLength(1)
})

describe('a post of somebody excluded since', () => {
  it('is not tried again, by a webhook or a destination, nor sent by hand; its delivery ends as excluded [EXC-07, EXC-10]', async () => {
    const team = await world.team()
    const { username, own, wide } = await watched(team, 500)
    expect([eventsOf(own), eventsOf(wide)]).toEqual([['post.detected'], ['post.detected']])
    await exclude(team, [{ kind: 'person', value: username }])
    for (const inbox of [own, wide]) inbox.answer(200)
    await world.advance('2d')
    await world.drain()
    expect([eventsOf(own), eventsOf(wide)]).toEqual([['post.detected'], ['post.detected']])
    const { deliveries } = await ok(team.get('/deliveries'))
    const ofPosts = deliveries.filter(({ event }: Record<string, string>) => event === 'post.detected')
    expect(ofPosts.map(({ event, state }: Record<string, string>) => [event, state])).toEqual([
      ['post.detected', 'excluded'],
      ['post.detected', 'excluded'],
    ])
  })

  it('is found by what is known of the author as well, and goes on where nobody is excluded [EXC-07, EXC-10]', async () => {
    const team = await world.team()
    const slug = world.handle('employer')
    world.network.seedCompany({ slug })
    const inbox = await world.inbox()
    inbox.answer(500)
    const [inside, outside] = [world.handle('inside'), world.handle('outside')]
    world.network.seedPerson({ handle: inside, company: slug })
    world.network.seedPerson({ handle: outside, company: null })
    // Captured as engagers first, so that their profiles are known.
    const met = world.handle('author')
    world.network.seedPost({ author: met, reactions: likes([inside, outside]), comments: [] })
    await sweep(world, team, met)
    for (const username of [inside, outside]) {
      world.network.seedPost({ author: username, text: username, reactions: [], comments: [] })
      world.network.hold()
      const asked = { username, saveTrackedProfile: true, mode: 'posts_only', postsPerSync: 10, confirmSpend: true }
      await ok(team.post('/enrich/profile', asked))
      await ok(team.put(`/profile/${username}/webhook`, { webhookUrl: inbox.url }))
      world.network.release()
      await world.drain()
    }
    expect(inbox.received).toHaveLength(2)
    await exclude(team, [{ kind: 'company', value: slug }])
    inbox.answer(200)
    await world.advance('2d')
    await world.drain()
    expect(inbox.received.slice(2).map(({ body }) => body.post.text)).toEqual([outside])
  })
})
