/** A team with sources of all types, leads, a search, a Discover run, an agent, deliveries and campaigns. */
import { expect } from 'vitest'
import { slackDestination } from '../destinations/stage.ts'
import { discover, seedWriters, topicOf } from '../scenarios/discover-stage.ts'
import { running, seedTopicPost } from '../scenarios/agent-stage.ts'
import { run } from '../scenarios/keyword-run-stage.ts'
import { capture, seedCampaign, storeKey } from '../scenarios/outreach-stage.ts'
import type { Team, World } from '../world/world.ts'

/** The team and ids to open pages with. */
export type FilledTeam = {
  readonly team: Team
  readonly sourceId: string
  readonly searchId: string
  readonly runId: string
  readonly leadId: string
  readonly deliveryId: string
  readonly outreachKey: string
  readonly destinationId: string
  readonly slackAddress: string
}

const fans = [
  {
    name: 'Ingrid Solberg',
    title: 'Head of Growth',
    country: 'DE',
    comment: 'We tried this for two quarters and the pipeline doubled.',
  },
  { name: 'Tomás Ferreira', title: 'VP Sales', country: 'PT', comment: 'How do you attribute the replies?' },
  { name: 'Aiko Tanaka', title: 'RevOps Lead', country: 'JP' },
  { name: 'Olu Adeyemi', title: 'Founder', country: 'NG' },
  { name: 'Marta Kowalska', title: 'Demand Generation Manager', country: 'PL' },
  { name: 'Jean-Luc Moreau', title: 'Engineer', country: 'FR' },
]

async function fillSources(world: World, team: Team) {
  const inbox = await world.inbox()
  const captured = await capture(world, team, fans, { username: world.handle('maya-lindqvist') })
  const ok = async (asked: Promise<{ status: number; text: string }>) => {
    const { status, text } = await asked
    expect(status, text).toBeLessThan(300)
  }
  await ok(
    team.put(`/sources/${captured.id}/icp`, {
      rules: [
        { column: 'jobTitle', operator: 'contains', value: 'growth' },
        { column: 'country', operator: 'in', value: ['Germany', 'Portugal'] },
      ],
      matchMode: 'any',
    }),
  )
  await ok(team.put(`/sources/${captured.id}/webhook`, { webhookUrl: inbox.url, syncEvents: true }))
  await ok(team.post(`/sources/${captured.id}/push`, {}))
  const page = world.handle('northwind')
  world.network.seedCompany({ slug: page, posts: [{ reactions: 12 }] })
  await ok(team.post('/enrich/company', { username: page, saveTrackedProfile: true, creditCapPerSync: 5 }))
  const watched = world.handle('watched')
  world.network.seedPost({ author: watched, reactions: 3 })
  await ok(
    team.post('/enrich/profile', {
      username: watched,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 5,
      confirmSpend: true,
    }),
  )
  const raw = world.handle('raw-source')
  world.network.seedPost({ author: raw, reactions: 4 })
  await ok(team.post('/enrich/profile', { username: raw, saveTrackedProfile: true, enrichLeads: false }))
  await world.drain()
  return captured
}

async function fillSearches(world: World, team: Team) {
  const topic = topicOf(world)
  world.network.seedSearch({
    posts: [
      { author: world.handle('poster'), text: `Everything about ${topic} and hiring`, reactions: 5, comments: [] },
      { author: world.handle('poster'), text: `${topic} for beginners, spam`, reactions: 2, comments: [] },
    ],
    generated: false,
  })
  const search = await run(world, team, {
    name: 'Outbound in Europe',
    expression: `${topic} AND NOT spam`,
    datePosted: 'PAST_MONTH',
    enrichLeads: true,
  })
  const subject = topicOf(world)
  seedWriters(world, subject, [
    { engagements: [120, 80], country: 'DE' },
    { engagements: [40], country: 'FR' },
    { engagements: [300], country: 'US' },
  ])
  const found = await discover(world, team, { keywords: [subject], countries: ['Germany', 'France'] })
  return { search, found }
}

export async function fillTeam(world: World): Promise<FilledTeam> {
  const team = await world.team({ name: 'Northwind growth', credits: 5_000 })
  const captured = await fillSources(world, team)
  const { search, found } = await fillSearches(world, team)
  const key = world.handle('hr-key-of-a-filled-team')
  await storeKey(world, team, key)
  const campaignId = seedCampaign(world, key, { name: 'Autumn outreach' })
  expect((await team.put(`/sources/${captured.id}/outreach`, { campaignId, pushHistoric: true })).status).toBe(200)
  const topic = topicOf(world)
  seedTopicPost(world, `A word on ${topic}`, [{ title: 'CMO', comment: 'Count me in' }, { title: 'Intern' }])
  await running(world, team, {
    website: 'northwind.example',
    titles: ['CMO', 'Head of Growth'],
    countries: ['Germany'],
    topics: [topic],
  })
  await world.drain()
  const { destination, webhookUrl } = await slackDestination(world, team)
  const leadId = (await team.get(`/leads?username=${captured.username}&limit=1`)).body.leads[0].id as string
  const { rows } = await world.database.pool.query(
    'select id from delivery where team_id = $1 and lead_id is not null limit 1',
    [team.id],
  )
  return {
    team,
    sourceId: captured.id,
    searchId: search.id,
    runId: found.id,
    leadId,
    deliveryId: rows[0].id,
    outreachKey: key,
    destinationId: destination.id,
    slackAddress: webhookUrl,
  }
}

/** The path of every page for a filled team, by the name of its picture. */
export const tourOf = ({
  sourceId,
  searchId,
  runId,
  leadId,
  destinationId,
}: Pick<FilledTeam, 'sourceId' | 'searchId' | 'runId' | 'leadId' | 'destinationId'>): Readonly<
  Record<string, string>
> => ({
  home: '/home',
  leads: '/leads',
  'lead-detail': `/leads?lead=${leadId}`,
  engagers: '/leads?tab=engagers',
  'raw-leads': '/leads?tab=raw',
  sources: '/sources',
  'source-detail': `/sources/${sourceId}`,
  'keyword-searches': '/keyword',
  'keyword-builder': `/sources/${searchId}?tab=settings`,
  discover: '/discover',
  'discover-run': `/discover/${runId}`,
  agent: '/agent',
  webhooks: '/webhooks',
  deliveries: '/webhooks?tab=log',
  outreach: '/outreach',
  destinations: '/destinations',
  destination: `/destinations/${destinationId}`,
  'connect-destination': '/destinations/connect',
  results: '/results',
  exclusions: '/exclusions',
  credits: '/credits',
  yield: '/credits?tab=yield',
  ledger: '/credits?tab=ledger',
  sums: '/credits?tab=sums',
  statement: '/credits?tab=statement',
  privacy: '/privacy',
  requests: '/requests',
  settings: '/settings',
  audit: '/settings?tab=audit',
})
