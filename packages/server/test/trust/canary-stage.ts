/** A canary: a person with unique texts, put through everything that captures, delivers and stores people. */
import { expect } from 'vitest'
import { search } from '../scenarios/keyword-run-stage.ts'
import { discover, topicOf } from '../scenarios/discover-stage.ts'
import { connect, seedCampaign } from '../scenarios/outreach-stage.ts'
import { running } from '../scenarios/agent-stage.ts'
import { track } from '../scenarios/sync-stage.ts'
import { memberOf } from '../dashboard/stage.ts'
import { addDestination, slackDestination } from '../destinations/stage.ts'
import { happens, post as postTo } from '../results/stage.ts'
import type { Inbox } from '../world/inbox.ts'
import { findPlaces } from '../world/places.ts'
import type { Answer, Team, World } from '../world/world.ts'

/** Texts that must be nowhere once the person is erased. */
export type Canary = {
  readonly handle: string
  readonly memberId: string
  readonly name: string
  readonly headline: string
  readonly comment: string
  readonly mail: string
  readonly post: string
}

/** Invents a canary. */
export function canaryOf(world: World): Canary {
  const mark = `zq${world.handle('canary').replaceAll(/[^a-z0-9]/g, '')}`
  return {
    handle: `${mark}-handle`,
    memberId: `ACoAA${mark}AbCdEfGhIjKlMnOpQrStUvWxYz0123456`.slice(0, 39),
    name: `Zelda ${mark}name`,
    headline: `Keeper of ${mark}headline`,
    comment: `What a ${mark}comment`,
    mail: `${mark}@mail.example`,
    post: `My own ${mark}post`,
  }
}

/** The world after the canary has been everywhere. */
export type Stage = {
  readonly team: Team
  readonly inbox: Inbox
  readonly agentInbox: Inbox
  readonly author: string
  readonly campaignId: string
  readonly personId: string
  readonly leadIds: readonly string[]
  readonly other: string
  /** A word in posts that searches look for. */
  readonly word: string
  /** The URL for the outreach platform's posts, and its post about the canary. */
  readonly resultsUrl: string
  readonly posted: unknown
  readonly exportUrl: string
}

async function ok(asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, text } = await asked
  expect([200, 201], text).toContain(status)
  return body
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Puts the canary through every capability of one team. */
export async function canaryEverywhere(world: World, canary: Canary): Promise<Stage> {
  const { handle, memberId, name, headline, comment, mail, post } = canary
  const [author, other] = [world.handle('author'), world.handle('other')]
  const { team, key, campaignId } = await connect(world, {}, { credits: 50_000 })
  const [inbox, agentInbox] = [await world.inbox(), await world.inbox()]
  const network = world.network
  await slackDestination(world, team)
  await addDestination(team, {
    kind: 'hubspot',
    name: `CRM for ${name}`,
    settings: {},
    credentials: { accessToken: `pat-na1-${world.handle('token')}` },
  })
  network.seedPerson({ handle, id: memberId, name, headline, title: 'CMO', country: 'DE' })
  network.seedPerson({ handle: other, title: 'CMO', country: 'DE' })

  // A reaction and a comment on a tracked person's post, delivered; a reaction on a source in raw mode.
  network.seedPost({
    author,
    reactions: [{ person: handle }, { person: other }],
    comments: [{ person: handle, text: comment }],
  })
  await track(team, author)
  await ok(team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: true, syncEvents: true }))
  await world.drain()
  const raw = world.handle('raw')
  network.seedPost({ author: raw, reactions: [{ person: handle }], comments: [] })
  await track(team, raw, { enrichLeads: false })

  // The canary writes a post; someone engages with it and is delivered with its address, which contains the canary's handle.
  network.seedPost({ author: handle, text: post, reactions: [{ person: other }], comments: [] })
  await track(team, handle)
  await ok(team.put(`/profile/${handle}/webhook`, { webhookUrl: inbox.url, autoSend: true, syncEvents: true }))
  await world.drain()

  await othersNameThem(world, { team, inbox, canary })

  // Found as an author by a search, by Discover, and by an agent with its own webhook.
  const [word, topic] = [topicOf(world), topicOf(world)]
  network.seedSearch({
    generated: false,
    posts: [
      { author: handle, text: `${post} about ${word}`, reactions: [{ person: other }], comments: [] },
      { author: world.handle('writer'), text: `Nothing but ${topic}`, reactions: [{ person: handle }], comments: [] },
    ],
  })
  await search(team, { keywords: [word], capturePostAuthors: true, enrichLeads: true })
  await world.drain()
  await search(team, { keywords: [`${word} again`], fromPerson: [memberId], enrichLeads: true })
  const run = await discover(world, team, { keywords: [word], maxInfluencers: 5, minEngagement: 0 })
  expect(run.influencers.map((one: { linkedinUrl: string }) => one.linkedinUrl).join()).toContain(handle)
  await running(world, team, { topics: [topic], titles: ['CMO'], webhook: { url: agentInbox.url, autoSend: true } })
  await world.advance('2h')

  // Sent to a campaign, as a lead and by name; requested, read and searched with idempotency keys.
  const { leads } = await ok(team.get(`/leads?name=${encodeURIComponent(name)}&limit=100`))
  const leadIds = leads.map((lead: { id: string }) => lead.id)
  await ok(team.post('/integrations/outreach/send', { campaignId, leadIds: leadIds.slice(0, 1) }, keyed('send')))
  await ok(
    team.post(
      '/integrations/outreach/send',
      { campaignId, people: [{ profileUrl: `https://www.linkedin.com/in/${handle}`, name, email: mail }] },
      keyed('people'),
    ),
  )
  await ok(team.get(`/profile/${handle}/posts?posts=2&confirmSpend=true`, keyed('read')))
  await ok(team.post('/enrich/profile', { username: handle }, keyed('enrich')))
  await ok(team.post('/profile/posts', { username: handle }))
  await world.drain()
  const { rows } = await world.database.pool.query(
    `select post_urn from lead where team_id = $1 and engagement_type = 'Comment' and person_urn = $2`,
    [team.id, memberId],
  )
  await ok(team.get(`/profile/${handle}/urn`))
  const watched = rows[0].post_urn
  await ok(team.post('/post/track', { postUrl: `https://www.linkedin.com/feed/update/${watched}` }))
  await world.drain()
  await ok(team.post('/post/comments', { postUrn: watched }))
  await ok(team.post('/post/reactions', { postUrn: watched }))
  // Refused, but logged.
  await team.post('/enrich/profile', { username: handle, postsPerSync: mail })

  // On the dashboard: saved views, planned and finished sends, an exported list.
  const member = await memberOf(world, team, 'owner')
  await ok(
    member.put('/views', { page: 'leads', name: `Those like ${name}`, query: { name, columns: ['name', handle] } }),
  )
  const people = {
    kind: 'people',
    campaignId: seedCampaign(world, key),
    people: [{ profileUrl: `https://www.linkedin.com/in/${handle}`, name, email: mail }],
  }
  await ok(member.post('/sends', { send: people, goes: 1 }))
  await ok(team.put(`/profile/${author}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'CMO' }] }))
  await world.drain()

  // Results recorded and posted, with notes; a disputed charge; lead exports, finished and running.
  const profileUrl = `https://www.linkedin.com/in/${handle}`
  await ok(
    team.post('/results', {
      results: [
        { profileUrl, outcome: 'meeting', note: `${name} wants a call`, externalId: `deal of ${handle}` },
        { profileUrl: `https://www.linkedin.com/in/${other}`, outcome: 'meeting', note: `Came with ${name}` },
      ],
    }),
  )
  const { resultsUrl } = await ok(team.get('/integrations/outreach'))
  const connection = { team, key, campaignId, sealed: null }
  const posted = happens(world, connection as never, handle, 'accepted')
  expect(await postTo(resultsUrl, posted)).toBe(200)
  expect(await postTo(resultsUrl, { unread: `about ${name}` })).toBe(200)
  const { entries: charges } = await ok(team.get('/credits/ledger?kind=charge&limit=1'))
  await ok(team.post('/credits/disputes', { entryId: charges[0].id, reason: 'other', note: `${name} never was there` }))
  const exported = await ok(team.post('/exports', { format: 'jsonl' }))
  await world.drain()
  const exportUrl = (await ok(team.get(`/exports/${exported.id}`))).url as string
  expect(await (await fetch(exportUrl)).text()).toContain(handle)
  const entries = [
    { kind: 'person', value: handle, reason: `${name} asked` },
    { kind: 'email', value: mail },
  ]
  await ok(team.post('/exclusions', { entries }))
  const found = await ok(team.get(`/privacy/people?query=${handle}`))
  expect(found.people).toHaveLength(1)
  const personId = found.people[0].personId
  return { team, inbox, agentInbox, author, campaignId, personId, leadIds, other, word, resultsUrl, posted, exportUrl }
}

/** Other people name the canary in a post, in comments and in their profiles. */
async function othersNameThem(
  world: World,
  { team, inbox, canary: { handle, memberId, name, mail } }: { team: Team; inbox: Inbox; canary: Canary },
): Promise<void> {
  const [witness, friend, writer] = [world.handle('witness'), world.handle('friend'), world.handle('writer')]
  const headline = `Assistant of ${name.toUpperCase()} (@${handle})`
  world.network.seedPerson({ handle: friend, headline, title: `Assistant to ${name}`, country: 'DE' })
  world.network.seedPost({
    author: witness,
    text: `Today with ${name},\n"${name}" and (${mail}) of https://www.linkedin.com/in/${handle}/`,
    reactions: [{ person: friend }],
    comments: [
      { person: friend, text: `Congratulations,\n${name}'s team! @${handle}` },
      {
        person: writer,
        text: `urn:li:fsd_profile:${memberId}, says https://www.linkedin.com/posts/${handle}_x-activity-7`,
      },
    ],
  })
  await track(team, witness)
  await ok(team.put(`/profile/${witness}/webhook`, { webhookUrl: inbox.url, autoSend: true, syncEvents: true }))
  await world.drain()
  // Mentions that are read again later are not recognised (docs/privacy.md).
  await ok(team.del(`/profile/${witness}`))
}

/** Places in the world's database that contain one of the texts. */
export const placesOf = (world: World, texts: readonly string[]): Promise<string[]> =>
  findPlaces(world.database.pool, texts)
