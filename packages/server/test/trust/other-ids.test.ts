/** A person with several network ids: an erasure or exclusion by one counts for all ids that come with it. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { listRecognisedAuthors } from '../../src/modules/capture/page.ts'
import { findExcludedAuthors } from '../../src/modules/delivery/excluded-posts.ts'
import { offerPosts } from '../../src/modules/delivery/index.ts'
import { openBlockList, rememberPeople, rememberPosts } from '../../src/modules/network/index.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import type { Post } from '../../src/providers/ports.ts'
import { discover, topicOf } from '../scenarios/discover-stage.ts'
import { search } from '../scenarios/keyword-run-stage.ts'
import { connect, handlesIn, ok, seedCampaign } from '../scenarios/outreach-stage.ts'
import { fastClock, likes, sweep, track } from '../scenarios/sync-stage.ts'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { placesOf } from './canary-stage.ts'
import { exclude, excludedBy } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })

let ids = 0
/** A unique member id, in the form of Sales Navigator or of profiles. */
const idOf = (form: 'ACwAA' | 'ACoAA') =>
  `${form}${String(++ids).padStart(4, '0')}_zqAbCdEfGhIjKlMnOpQrStUvWxYz012345`.slice(0, 39)

it('who comes back under another id is recognised by the handle, and from then on by that id alone [PRV-06]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
  const [first, second] = [idOf('ACoAA'), idOf('ACwAA')]
  world.network.seedPerson({ handle: fan, id: first })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  expect((await team.get('/leads')).body.total).toBe(1)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const balance = await team.balance()
  // Comments show the handle, reactions only the id.
  for (const handle of [fan, renamed]) {
    world.network.seedPerson({ handle, id: second })
    const comments = handle === fan ? [{ person: handle, text: 'Back' }] : []
    world.network.seedPost({ author, reactions: handle === fan ? [] : likes([handle]), comments })
    await world.move('25h')
    await sweep(world, team, author)
    expect([(await team.get('/leads')).body.total, await team.balance()], handle).toEqual([0, balance])
  }
})

it('who comes back under an id that comes alone is recognised as soon as they are looked up: no row, no charge, no delivery [PRV-06]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan, other, inbox] = [
    world.handle('author'),
    world.handle('fan'),
    world.handle('other'),
    await world.inbox(),
  ]
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  expect((await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })).status).toBe(200)
  const balance = await team.balance()
  const again = idOf('ACwAA')
  world.network.seedPerson({ handle: fan, id: again })
  world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
  await world.move('25h')
  await sweep(world, team, author)
  await world.drain()
  const { leads } = (await team.get('/leads?includeSyncing=true')).body
  expect(leads.map(({ linkedinUrl }: { linkedinUrl: string }) => linkedinUrl)).toEqual([
    `https://www.linkedin.com/in/${other}`,
  ])
  expect(await team.balance()).toBe(balance - 1)
  const sent = inbox.received.filter(({ body }) => body.event === 'lead.detected')
  expect(sent.map(({ body }) => body.lead.id)).toEqual([leads[0].id])
  const { rows } = await world.database.pool.query('select from person where team_id = $1 and urn = $2', [
    team.id,
    again,
  ])
  expect(rows).toEqual([])
  // From here the id alone is enough.
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await world.move('25h')
  await sweep(world, team, author)
  expect([(await team.get('/leads')).body.total, await team.balance()]).toEqual([1, balance - 1])
  // The charge that was given back is not given back again.
  const { entries } = (await team.get('/credits/ledger?kind=charge')).body
  const disputed = []
  for (const { id: entryId } of entries)
    disputed.push((await team.post('/credits/disputes', { entryId, reason: 'duplicate' })).status)
  expect([disputed.sort(), await team.balance()]).toEqual([[201, 201, 400], balance + 1])
})

it('who was captured under an id that came alone, and never looked up, is taken out by a later page that shows their handle: no row, no charge [PRV-04, PRV-06]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan, other] = [world.handle('author'), world.handle('fan'), world.handle('other')]
  const name = `Zed ${world.handle('name').replaceAll('-', '')}`
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const again = idOf('ACwAA')
  world.network.seedPerson({ handle: fan, id: again, name })
  world.network.seedPost({ author, reactions: likes([fan, other]), comments: [] })
  await sweep(world, team, author, { enrichLeads: false })
  expect([(await team.get('/leads/raw')).body.total, await team.balance()]).toEqual([2, 98])
  const { entries } = (await team.get('/credits/ledger?kind=charge')).body
  const disputes: string[] = []
  for (const { id: entryId } of entries)
    disputes.push((await team.post('/credits/disputes', { entryId, reason: 'other' })).body.id)
  world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: 'Here' }] })
  await world.move('25h')
  await sweep(world, team, author, { enrichLeads: false })
  const { leads } = (await team.get('/leads/raw')).body
  expect(leads.map(({ linkedinUrn }: { linkedinUrn: string }) => linkedinUrn)).not.toContain(again)
  expect([leads.length, await team.balance()]).toEqual([1, 99])
  // The dispute about what was given back is settled.
  const decided = []
  for (const id of disputes)
    decided.push((await world.operator('POST', `/operator/disputes/${id}`, { decision: 'credit' })).status)
  expect([decided.sort(), await team.balance()]).toEqual([[200, 409], 100])
  expect(await placesOf(world, [fan, again, name])).toEqual([])
})

it('who was recognised as a process died is taken out when their erasure is asked again [PRV-03, PRV-04]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, later, fan] = [world.handle('author'), world.handle('author'), world.handle('fan')]
  const name = `Zed ${world.handle('name').replaceAll('-', '')}`
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const again = idOf('ACwAA')
  world.network.seedPerson({ handle: fan, id: again, name })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author, { enrichLeads: false })
  await ok(team.del(`/profile/${author}`))
  world.network.seedPost({ author: later, reactions: [], comments: [{ person: fan, text: 'Here' }] })
  await track(team, later, { enrichLeads: false })
  world.network.hold({ operation: 'post-comments' })
  world.beginDrain()
  await world.network.untilWaiting(1)
  await world.arm('capture.after-commit')
  world.network.release()
  await world.settle()
  expect(await placesOf(world, [again])).not.toEqual([])
  const asked = await team.post('/privacy/erasures', { profileUrl: again })
  expect([asked.status, await placesOf(world, [again, name])], asked.text).toEqual([200, []])
})

it('who wrote a post under an id that was never seen is blocked by that id from then on [PRV-06]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const again = idOf('ACwAA')
  world.network.seedPerson({ handle: fan, id: again })
  const { id } = world.network.seedPost({ author: fan, text: 'Mine', reactions: [], comments: [] })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${id}` })).status).toBe(201)
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author, { enrichLeads: false })
  expect([(await team.get('/leads/raw')).body.total, await team.balance()]).toEqual([0, 100])
  expect(await placesOf(world, [fan, again])).toEqual([])
})

it.each(['a comment', 'a post'])(
  'who wrote a post under an id that was never seen is taken out with it by %s that shows their handle [PRV-04, PRV-06]',
  async (as) => {
    const team = await world.team({ credits: 100 })
    const [author, fan, alias, other] = ['author', 'fan', 'alias', 'other'].map((one) => world.handle(one)) as string[]
    world.network.seedPerson({ handle: fan!, id: idOf('ACoAA') })
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    const [again, name] = [idOf('ACwAA'), `Zed ${world.handle('name').replaceAll('-', '')}`]
    world.network.seedPerson({ handle: alias!, id: again, name })
    world.network.seedPost({ author: alias!, text: 'Mine', reactions: likes([other!]), comments: [] })
    await sweep(world, team, alias!, { enrichLeads: false })
    expect(await placesOf(world, [alias!, again, name])).not.toEqual([])
    // The network shows the known handle with this id: on a comment, or as the author of another post.
    world.network.seedPerson({ handle: fan!, id: again, name })
    if (as === 'a comment') {
      world.network.seedPost({ author: author!, reactions: [], comments: [{ person: fan!, text: 'Here' }] })
      await sweep(world, team, author!, { enrichLeads: false })
    } else {
      world.network.seedPost({ author: fan!, text: 'More', reactions: [], comments: [] })
      await world.advance('25h')
    }
    expect([(await team.get('/leads/raw?includeInactive=true')).body.total, await team.balance()]).toEqual([1, 99])
    await team.get('/credits')
    expect(await placesOf(world, [again, name, 'Mine'])).toEqual([])
  },
)

it('a post of somebody erased stays without text and address when its author is shown by other names [PRV-04]', async () => {
  const team = await world.team({ credits: 100 })
  const [fan, alias, text] = [world.handle('fan'), world.handle('alias'), `Mine ${world.handle('text')}`]
  const { id } = world.network.seedPost({ author: fan, text, reactions: likes([world.handle('first')]), comments: [] })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${id}` })).status).toBe(201)
  await world.drain()
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  world.network.seedPost({ author: alias, id, text, reactions: likes([world.handle('second')]), comments: [] })
  await world.advance('25h')
  expect((await team.get('/leads')).body.total).toBe(2)
  expect(await placesOf(world, [fan, alias, text, text.replace('Mine ', '')])).toEqual([])
})

it('who was sent, under an id that nobody could know, to a receiver before they were recognised is told of there, once [PRV-07, PRV-08]', async () => {
  const [team, inbox] = [await world.team({ credits: 100 }), await world.inbox()]
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  const made = await team.post('/privacy/erasures', { profileUrl: fan })
  expect([made.status, made.body.receipt.toldDownstream]).toEqual([201, []])
  const again = idOf('ACwAA')
  world.network.seedPerson({ handle: fan, id: again })
  for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'not_found', operation })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  world.network.clearFaults()
  await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: false }))
  expect(await ok(team.post(`/profile/${author}/push`))).toMatchObject({ queued: 1 })
  await world.drain()
  await team.post('/enrich/profile', { username: again })
  await world.drain()
  const told = inbox.received.map(({ body }) => body)
  expect(told.map(({ event }) => event)).toEqual(['lead.detected', 'person.erased'])
  expect(told[1].person.externalKeys).toEqual([told[0].lead.id])
  const { receipt } = await ok(team.get(`/privacy/erasures/${made.body.id}`))
  expect(receipt.toldDownstream.map(({ state }: { state: string }) => state)).toEqual(['delivered'])
  expect(await placesOf(world, [fan, again])).toEqual([])
})

it.each(['a search', 'Discover', 'a charged read', 'a job on posts'])(
  'who was found before the erasure under an id and a handle that nobody could know goes once %s shows that id with a known name [PRV-04, PRV-06]',
  async (how) => {
    const team = await world.team({ credits: 500 })
    const [before, fan, again] = [world.handle('before'), world.handle('fan'), idOf('ACwAA')]
    const name = `Zed ${world.handle('name').replaceAll('-', '')}`
    const find = async (author: string) => {
      const word = topicOf(world)
      world.network.seedSearch({
        generated: false,
        posts: [{ author, text: `${name} on ${word}`, reactions: [], comments: [] }],
      })
      if (how === 'Discover') await discover(world, team, { keywords: [word], maxInfluencers: 5, minEngagement: 0 })
      else await search(team, { keywords: [word] })
      await world.drain()
    }
    world.network.seedPerson({ handle: before, id: again, name })
    if (how === 'a job on posts') await sweep(world, team, before)
    await find(before)
    expect(await placesOf(world, [name])).not.toEqual([])
    world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    world.network.seedPerson({ handle: fan, id: again, name })
    if (how === 'a charged read') await ok(team.get(`/profile/${again}/posts?posts=1&confirmSpend=true`))
    else if (how === 'a job on posts') await ok(team.post('/profile/posts', { username: before }))
    else await find(fan)
    await world.drain()
    expect(await placesOf(world, [name])).toEqual([])
  },
)

it('who was captured under an id that a record carries only beside another is recognised by it [PRV-04, PRV-06]', async () => {
  const team = await world.team()
  const [fan, before] = [world.handle('fan'), world.handle('before')]
  const [shown, other, first] = [idOf('ACoAA'), idOf('ACwAA'), idOf('ACoAA')]
  world.network.seedPerson({ handle: before, id: other })
  const { id } = world.network.seedPost({ author: before, text: 'Mine', reactions: [], comments: [] })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${id}` })).status).toBe(201)
  world.network.seedPerson({ handle: fan, id: first })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  const author = { kind: 'person', urn: shown, otherUrns: [other], url: `https://www.linkedin.com/in/${fan}` } as const
  const facts = { text: null, contentType: null, postedAt: null, totalReactionCount: null, commentsCount: null }
  const post: Post = {
    ...{ ...facts, urn: `urn:li:activity:${id}`, url: '', aliases: [] },
    author: { ...author, name: null, headline: null },
  }
  const blockList = openBlockList(makeVault(world.service.config.masterKey!, randomBytes))
  const recognised = await world.unit(team, (tx) => listRecognisedAuthors(tx, team.id, { blockList, posts: [post] }))
  expect(recognised.map(({ urn }) => urn)).toEqual([shown])
  // A profile address may contain the member id in place of a handle.
  const byAddress = { urn: null, handle: first }
  const blocked = await world.unit(team, (tx) => blockList.findBlocked(tx.db, team.id, [byAddress]))
  expect(blocked.has(byAddress)).toBe(true)
})

it('who wrote posts and whom the network shows no longer is known by the address of their profile, and by what they were called [PRV-03, PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [gone, fan] = [world.handle('gone'), world.handle('fan')]
  const [id, name] = [idOf('ACoAA'), `Zed ${world.handle('name').replaceAll('-', '')}`]
  world.network.seedPerson({ handle: gone, id, name })
  const post = world.network.seedPost({
    author: gone,
    reactions: [],
    comments: [{ person: fan, text: `Well said ${name}` }],
  })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })).status).toBe(201)
  await world.drain()
  world.network.seedPerson({ handle: gone, exists: false })
  expect((await team.post('/privacy/erasures', { profileUrl: gone })).status).toBe(201)
  expect(await placesOf(world, [gone, id, name])).toEqual([])
})

it('who is erased once more by a handle that they took since is taken out under it, and kept out [PRV-03, PRV-04]', async () => {
  const { team, campaignId } = await connect(world)
  const [author, fan, renamed, id] = [
    world.handle('author'),
    world.handle('fan'),
    world.handle('renamed'),
    idOf('ACoAA'),
  ]
  world.network.seedPerson({ handle: fan, id })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  const first = await team.post('/privacy/erasures', { profileUrl: fan })
  world.network.seedPerson({ handle: renamed, id })
  const profileUrl = `https://www.linkedin.com/in/${renamed}`
  const balance = await team.balance()
  await ok(team.post('/integrations/outreach/send', { campaignId, people: [{ profileUrl, name: 'Zed' }] }))
  await ok(team.post('/results', { results: [{ profileUrl, outcome: 'meeting' }] }))
  const again = await team.post('/privacy/erasures', { profileUrl: renamed })
  expect([again.status, again.body.id, again.body.receipt.counts, again.body.receipt.notTold]).toEqual([
    200,
    first.body.id,
    first.body.receipt.counts,
    ['outreach'],
  ])
  const { skippedExcluded } = await ok(
    team.post('/integrations/outreach/send', { campaignId, people: [{ profileUrl }] }),
  )
  expect([skippedExcluded, await team.balance()]).toEqual([1, balance])
  await team.get('/credits')
  expect(await placesOf(world, [renamed])).toEqual([])
})

it('who wrote a post under a handle from before is known by it, in what others wrote and in calls [PRV-03, PRV-04]', async () => {
  const team = await world.team({ credits: 500 })
  const [before, now, id] = [world.handle('before'), world.handle('now'), idOf('ACoAA')]
  world.network.seedPerson({ handle: before, id })
  const comments = [{ person: world.handle('fan'), text: `Thanks @${before}` }]
  const post = world.network.seedPost({ author: before, reactions: [], comments })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${post.id}` })).status).toBe(201)
  await world.drain()
  await team.get(`/profile/${before}/sync`)
  world.network.seedPerson({ handle: now, id })
  expect((await team.post('/privacy/erasures', { profileUrl: now })).status).toBe(201)
  await team.get('/credits')
  await world.drain()
  expect(await placesOf(world, [before, now, id])).toEqual([])
})

it('who is on a list under an id that a later record shows to be theirs is taken off it [PRV-04, PRV-06]', async () => {
  const team = await world.team({ credits: 500 })
  const [author, fan, listed] = [world.handle('author'), world.handle('fan'), idOf('ACwAA')]
  expect((await team.post('/exclusions', { entries: [{ kind: 'person', value: listed }] })).status).toBe(201)
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  world.network.seedPerson({ handle: fan, id: listed })
  world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: 'Back' }] })
  await sweep(world, team, author)
  expect(await placesOf(world, [fan, listed])).toEqual([])
})

it('a charged read that fails while it takes out whom it recognises charges nothing, and does it all when it is asked again [PRV-06]', async () => {
  const team = await world.team({ credits: 100 })
  const [fan, again] = [world.handle('fan'), idOf('ACwAA')]
  world.network.seedPerson({ handle: fan, id: again })
  const { id } = world.network.seedPost({ author: fan, reactions: [], comments: [] })
  expect((await team.post('/post/track', { postUrl: `urn:li:activity:${id}` })).status).toBe(201)
  await world.drain()
  world.network.seedPerson({ handle: world.handle('other'), id: again })
  await world.database.pool.query(`update post set author_url = null, url = '' where team_id = $1`, [team.id])
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
  world.network.seedPerson({ handle: fan, id: again })
  const safe = { headers: { 'idempotency-key': fan } }
  const read = () => team.get(`/profile/${again}/posts?posts=1&confirmSpend=true`, safe)
  await world.arm('erasure.begun')
  expect([(await read()).status, await team.balance()]).toEqual([500, 100])
  expect([(await read()).status, await team.balance()]).toEqual([200, 99])
})

describe('who is erased while they are looked up under an id that is not known to be theirs', () => {
  /** A person captured and looked up under one id, who returns under another, with an employer. */
  async function cameBack(team: Team, inbox?: Inbox) {
    const [author, fan, slug] = [world.handle('author'), world.handle('fan'), world.handle('firm')]
    const name = `Zed ${world.handle('name').replaceAll('-', '')}`
    world.network.seedPerson({ handle: fan, id: idOf('ACoAA'), name })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await sweep(world, team, author)
    if (inbox) await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: true }))
    const again = idOf('ACwAA')
    world.network.seedCompany({ slug })
    world.network.seedPerson({ handle: fan, id: again, name, company: slug })
    world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
    await world.move('25h')
    return { author, fan, again, texts: [fan, name, again] }
  }

  /** Erases them after their profile was read and while their company is being read. */
  async function eraseAtCompany(team: Team, fan: string) {
    world.network.hold({ operation: 'company' })
    world.beginDrain()
    await world.network.untilWaiting(1)
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    world.network.release()
    await world.drain()
  }

  it('is neither kept, charged nor delivered [PRV-04, PRV-06]', async () => {
    const [team, inbox] = [await world.team({ credits: 100 }), await world.inbox()]
    const { fan, texts } = await cameBack(team, inbox)
    const balance = await team.balance()
    await eraseAtCompany(team, fan)
    expect(await placesOf(world, texts)).toEqual([])
    expect([await team.balance(), inbox.received]).toEqual([balance, []])
  })

  it('is not brought back by a job that asked for them [PRV-04, PRV-06]', async () => {
    const team = await world.team({ credits: 100 })
    const { author, fan, again, texts } = await cameBack(team)
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'not_found', operation })
    await sweep(world, team, author)
    world.network.clearFaults()
    await ok(team.post('/enrich/profile', { username: again }))
    await eraseAtCompany(team, fan)
    await team.get('/credits')
    expect(await placesOf(world, texts)).toEqual([])
  })
})

it('who is excluded by an id that their record carries beside another is excluded under both [EXC-05]', async () => {
  const team = await world.team({ credits: 100 })
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  const [shown, other] = [idOf('ACoAA'), idOf('ACwAA')]
  world.network.seedPerson({ handle: fan, id: shown })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  const linkedinUrl = `https://www.linkedin.com/in/${fan}`
  const record = {
    urn: shown,
    otherUrns: [other],
    handle: fan,
    name: null,
    headline: null,
    linkedinUrl,
    avatarUrl: null,
  }
  await world.unit(team, (tx) => rememberPeople(tx, team.id, [record]))
  expect(await excludedBy(team)).toEqual({ [fan]: null })
  await exclude(team, [{ kind: 'person', value: other }])
  expect(await excludedBy(team)).toEqual({ [fan]: 'do_not_contact' })
})

it('who wrote a post is excluded by any id that its record carries [EXC-07]', async () => {
  const team = await world.team()
  const [shown, other, stranger] = [idOf('ACoAA'), idOf('ACwAA'), idOf('ACoAA')]
  await exclude(team, [{ kind: 'person', value: other }])
  const author = { kind: 'person', url: null }
  const authors = [
    { ...author, urn: stranger },
    { ...author, urn: shown, otherUrns: [other] },
  ]
  const found = await world.unit(team, (tx) => findExcludedAuthors(tx.db, team.id, authors))
  expect(found).toEqual(new Set([1]))
})

it('who wrote a post that waits to be sent is excluded by any id that its record carried [EXC-10]', async () => {
  const [team, inbox] = [await world.team(), await world.inbox()]
  const [username, writer] = [world.handle('watched'), world.handle('writer')]
  await track(team, username)
  await ok(team.put(`/profile/${username}/webhook`, { webhookUrl: inbox.url, autoSend: true }))
  const [{ id: sourceId }] = (await ok(team.get('/sources'))).sources
  const [shown, other] = [idOf('ACoAA'), idOf('ACwAA')]
  const url = `https://www.linkedin.com/in/${writer}`
  const author = { kind: 'person' as const, urn: shown, otherUrns: [other], name: null, url, headline: null }
  const facts = { text: null, contentType: null, postedAt: null, totalReactionCount: null, commentsCount: null }
  const urn = `urn:li:activity:${idOf('ACoAA').replace(/\D/g, '')}`
  const post: Post = { urn, url: `https://www.linkedin.com/feed/update/${urn}`, author, aliases: [], ...facts }
  await world.unit(team, async (tx) => {
    await rememberPosts(tx, team.id, [post])
    await offerPosts(tx, { teamId: team.id, sourceId, posts: [post] })
  })
  await exclude(team, [{ kind: 'person', value: other }])
  await world.drain()
  expect(inbox.received.map(({ body }) => body.event)).not.toContain('post.detected')
})

it('who objects by a handle that is listed already is excluded under the one that the team knew them by [EXC-07, PRV-10]', async () => {
  const [team, inbox] = [await world.team(), await world.inbox()]
  const [author, known, renamed] = [world.handle('author'), world.handle('known'), world.handle('renamed')]
  const id = idOf('ACoAA')
  world.network.seedPerson({ handle: known, id })
  world.network.seedPost({ author, reactions: likes([known]), comments: [] })
  await sweep(world, team, author)
  await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
  world.network.seedPerson({ handle: renamed, id })
  await exclude(team, [{ kind: 'person', value: renamed }])
  expect((await team.post('/privacy/objections', { profileUrl: renamed })).body.repeated).toBe(false)
  expect(await excludedBy(team)).toEqual({ [known]: 'do_not_contact' })
  await team.post(`/profile/${author}/push`, {})
  await world.drain()
  expect(inbox.received).toEqual([])
})

it('who objects by an id that the team has not met is excluded under the one that it has [EXC-07, PRV-10]', async () => {
  const team = await world.team()
  const [author, fan] = [world.handle('author'), world.handle('fan')]
  const [shown, other] = [idOf('ACoAA'), idOf('ACwAA')]
  world.network.seedPerson({ handle: fan, id: shown })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  world.network.seedPerson({ handle: fan, id: other })
  expect((await team.post('/privacy/objections', { profileUrl: other })).status).toBe(201)
  expect(await excludedBy(team)).toEqual({ [fan]: 'do_not_contact' })
})

it('who objects before they were ever seen is excluded by handle and by any id that comes with it, also when they are sent by address [EXC-07, EXC-08, PRV-10]', async () => {
  const { team, key, campaignId } = await connect(world)
  const [author, fan, inbox] = [world.handle('author'), world.handle('fan'), await world.inbox()]
  world.network.seedPerson({ handle: fan, id: idOf('ACoAA') })
  expect((await team.post('/privacy/objections', { profileUrl: fan })).status).toBe(201)
  const people = [{ profileUrl: `https://www.linkedin.com/in/${fan}` }]
  const sent = await team.post('/integrations/outreach/send', { campaignId, people })
  expect([sent.body.sent, sent.body.skippedExcluded, handlesIn(world, key, campaignId)]).toEqual([0, 1, []])
  world.network.seedPerson({ handle: fan, id: idOf('ACwAA') })
  world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: 'Here' }] })
  await sweep(world, team, author)
  expect((await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })).status).toBe(200)
  expect((await team.post(`/profile/${author}/push`)).body).toMatchObject({ queued: 0, considered: 1, excluded: 1 })
  for (const path of ['/leads', '/leads?excluded=only'])
    expect(await excludedBy(team, path)).toEqual({ [fan]: 'do_not_contact' })
})

it('who was excluded by a handle before they were known stays so when they are looked up under another [EXC-05, EXC-07, EXC-08]', async () => {
  const { team, key, campaignId } = await connect(world)
  const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
  const inbox = await world.inbox()
  const { id } = world.network.seedPerson({ handle: fan, title: 'CTO' })
  await exclude(team, [{ kind: 'person', value: fan }])
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  world.network.seedPerson({ id, handle: renamed, title: 'CTO' })
  await ok(team.post('/enrich/profile', { username: renamed }))
  await world.drain()
  expect(await excludedBy(team)).toEqual({ [renamed]: 'do_not_contact' })
  await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
  expect(await ok(team.post(`/profile/${author}/push`))).toMatchObject({ queued: 0, considered: 1, excluded: 1 })
  const people = [renamed, id].map((name) => ({ profileUrl: `https://www.linkedin.com/in/${name}` }))
  const sent = await ok(team.post('/integrations/outreach/send', { campaignId, people }))
  expect([sent.sent, sent.skippedExcluded, handlesIn(world, key, campaignId)]).toEqual([0, 2, []])
  const [entry] = (await ok(team.get('/exclusions'))).entries
  expect(entry).toMatchObject({ kind: 'person', value: fan })
  await ok(team.del(`/exclusions/${entry.id}`))
  expect(await excludedBy(team)).toEqual({ [renamed]: null })
})

it.each(['is excluded', 'replied'])(
  'who %s before they were known, and was tracked then, stays left out when they engage under another handle [EXC-05, RSL-05]',
  async (how) => {
    const { team, campaignId } = await connect(world)
    const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
    const { id } = world.network.seedPerson({ handle: fan })
    const profileUrl = `https://www.linkedin.com/in/${fan}`
    if (how === 'replied') {
      await ok(team.post('/integrations/outreach/send', { campaignId, people: [{ profileUrl }] }))
      await ok(team.post('/results', { results: [{ profileUrl, outcome: 'replied' }] }))
    } else await exclude(team, [{ kind: 'person', value: fan }])
    world.network.seedPost({ author: fan, reactions: [], comments: [] })
    await sweep(world, team, fan)
    await ok(team.del(`/profile/${fan}`))
    await world.move('200d')
    world.network.seedPerson({ id, handle: renamed })
    world.network.seedPost({ author, reactions: likes([renamed]), comments: [] })
    await sweep(world, team, author)
    expect(await excludedBy(team)).toEqual({ [renamed]: how === 'replied' ? 'replied' : 'do_not_contact' })
  },
)

it('who replied before they were known stays left out when they are looked up under another handle [EXC-05, RSL-05]', async () => {
  const { team, campaignId } = await connect(world)
  const [author, fan, renamed] = [world.handle('author'), world.handle('fan'), world.handle('renamed')]
  const { id } = world.network.seedPerson({ handle: fan })
  const profileUrl = `https://www.linkedin.com/in/${fan}`
  await ok(team.post('/integrations/outreach/send', { campaignId, people: [{ profileUrl }] }))
  const recorded = await ok(team.post('/results', { results: [{ profileUrl, outcome: 'replied' }] }))
  expect(recorded.recorded).toBe(1)
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  expect(await excludedBy(team)).toEqual({ [fan]: 'replied' })
  world.network.seedPerson({ id, handle: renamed })
  await ok(team.post('/enrich/profile', { username: renamed }))
  await world.drain()
  expect(await excludedBy(team)).toEqual({ [renamed]: 'replied' })
})

it('who works at a page that was excluded by a slug before it was known stays so when the page takes another [EXC-05]', async () => {
  const team = await world.team()
  const [author, fan, slug, renamed] = [
    world.handle('author'),
    world.handle('fan'),
    world.handle('page'),
    world.handle('renamed'),
  ]
  await exclude(team, [{ kind: 'company', value: slug }])
  const { id } = world.network.seedCompany({ slug, name: 'Page' })
  world.network.seedPerson({ handle: fan, company: slug })
  world.network.seedPost({ author, reactions: likes([fan]), comments: [] })
  await sweep(world, team, author)
  world.network.seedCompany({ id, slug: renamed, name: 'Page' })
  await ok(team.post('/enrich/company', { username: id }))
  await world.drain()
  const { rows } = await world.database.pool.query('select slug from company where urn = $1', [`urn:li:company:${id}`])
  expect(rows).toEqual([{ slug: renamed }])
  for (const path of ['/leads', '/leads?excluded=only'])
    expect(await excludedBy(team, path)).toEqual({ [fan]: 'do_not_contact' })
})

it('what was last found out about a person counts under every id, for their rows and for sends by address [EXC-01, EXC-05, EXC-06, EXC-07, EXC-08]', async () => {
  const { team, key } = await connect(world)
  const [author, fan, before, now] = [
    world.handle('author'),
    world.handle('fan'),
    world.handle('before'),
    world.handle('now'),
  ]
  const inbox = await world.inbox()
  const [first, second] = [idOf('ACoAA'), idOf('ACwAA')]
  for (const [id, slug] of [
    [first, before],
    [second, now],
  ] as const) {
    world.network.seedCompany({ slug, name: slug })
    world.network.seedPerson({ handle: fan, id, company: slug })
    world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: slug }] })
    await world.move('25h')
    await sweep(world, team, author)
  }
  const expectSent = async (sent: number) => {
    for (const name of [fan, first, second]) {
      const people = [{ profileUrl: `https://www.linkedin.com/in/${name}` }]
      const answer = await ok(
        team.post('/integrations/outreach/send', { campaignId: seedCampaign(world, key), people }),
      )
      expect([answer.sent, answer.skippedExcluded], name).toEqual([sent, 1 - sent])
    }
  }
  const { leads } = await ok(team.get('/leads'))
  expect(leads.map(({ companyName }: { companyName: string }) => companyName)).toEqual([now, before])
  expect((await exclude(team, [{ kind: 'company', value: before }])).matchingLeads).toBe(0)
  expect((await ok(team.get('/leads?excluded=only'))).total).toBe(0)
  await expectSent(1)
  expect((await exclude(team, [{ kind: 'company', value: now }])).matchingLeads).toBe(2)
  expect((await ok(team.get('/leads?excluded=only'))).total).toBe(2)
  expect((await ok(team.get('/leads?excluded=exclude'))).total).toBe(0)
  await expectSent(0)
  await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url }))
  expect(await ok(team.post(`/profile/${author}/push`))).toMatchObject({ queued: 0, considered: 2, excluded: 2 })
})
