/** People who work at an excluded company or at the source leave by no way out; others by each (EXC-04..EXC-10). */
import { beforeAll, describe, expect, it } from 'vitest'
import { addDestination, deliveriesOf, slackDestination } from '../destinations/stage.ts'
import { leadsOf as agentLeads, running, seedTopicPost, topicsOf } from '../scenarios/agent-stage.ts'
import { connect, handlesIn, ok, seedCampaign } from '../scenarios/outreach-stage.ts'
import type { Inbox } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { exclude } from './exclusions-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Page = { readonly slug: string; readonly number: string; readonly domain: string; readonly name: string }
type Lead = { readonly id: string; readonly linkedinUrl: string; readonly excluded: Record<string, unknown> | null }

const urlOf = (handle: string) => `https://www.linkedin.com/in/${handle}`
const handlesOf = (leads: readonly { linkedinUrl: string }[]) =>
  leads.map(({ linkedinUrl }) => linkedinUrl.split('/in/')[1]!)
const toldTo = (inbox: Inbox) =>
  handlesOf(inbox.received.flatMap(({ body }) => (body.event === 'lead.detected' ? [body.lead] : [])))

function seedPage(): Page {
  const slug = world.handle('employer')
  const name = `Employer ${slug}`
  const domain = `${slug}.example.com`
  const { id: number } = world.network.seedCompany({ slug, name, website: `https://www.${domain}` })
  return { slug, number, domain, name }
}

/** A way to exclude people who work at a page, and the source they engage with. */
type Way = {
  readonly list: string
  readonly leaveOut: (team: Team, page: Page) => Promise<unknown>
  readonly track: (page: Page) => { readonly kind: 'profile' | 'company'; readonly username: string }
}

const byEntry = (entry: (page: Page) => { kind: string; value: string }): Way => ({
  list: 'do_not_contact',
  leaveOut: (team, page) => exclude(team, [entry(page)]),
  track: () => ({ kind: 'profile', username: world.handle('author') }),
})

const bySetting = (track: Way['track']): Way => ({
  list: 'own_team',
  leaveOut: (team) => ok(team.put('/exclusions/settings', { worksAtSource: true })),
  track,
})

const ways: Readonly<Record<string, Way>> = {
  'a company by its page': byEntry(({ slug }) => ({
    kind: 'company',
    value: `https://de.linkedin.com/company/${slug}/about/`,
  })),
  'a company by its number': byEntry(({ number }) => ({ kind: 'company', value: number })),
  'a company by its domain': byEntry(({ domain }) => ({ kind: 'domain', value: `www.${domain}` })),
  'the company that is tracked': bySetting(({ slug }) => ({ kind: 'company', username: slug })),
  'the employer of the person who is tracked': bySetting(({ slug }) => {
    const username = world.handle('boss')
    world.network.seedPerson({ handle: username, company: slug })
    return { kind: 'profile', username }
  }),
}

/** A team with every way out open, and a source with an engager from the page and another one. */
async function opened(way: Way) {
  const { team, key, campaignId } = await connect(world)
  const page = seedPage()
  const [inside, outside] = [world.handle('inside'), world.handle('outside')]
  world.network.seedPerson({ handle: inside, title: 'CTO', company: page.slug })
  world.network.seedPerson({ handle: outside, title: 'CTO', company: null })
  const { kind, username } = way.track(page)
  const author = kind === 'company' ? { company: username } : username
  world.network.seedPost({ author, reactions: [inside, outside].map((person) => ({ person })) })
  const [own, wide] = [await world.inbox(), await world.inbox()]
  const destination = await addDestination(team, { kind: 'webhook', name: 'All', settings: { url: wide.url } })
  const slack = await slackDestination(world, team)
  for (const operation of ['post-reactions', 'post-comments']) world.network.hold({ operation })
  await ok(team.post(`/enrich/${kind}`, { username, saveTrackedProfile: true }))
  const [{ id }] = (await ok(team.get('/sources'))).sources
  await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: own.url, autoSend: true }))
  await ok(team.put(`/sources/${id}/outreach`, { campaignId }))
  const leaveOut = () => way.leaveOut(team, page)
  const work = async () => {
    world.network.release()
    await world.drain()
  }
  return { team, key, campaignId, page, inside, outside, own, wide, destination, slack, sourceId: id, leaveOut, work }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Checks lists, filters, and the verdict on each lead. */
async function expectShown({ team, inside, outside }: Opened, list: string): Promise<readonly Lead[]> {
  const read = async (path: string) => {
    const { leads, engagers } = await ok(team.get(path))
    return handlesOf(leads ?? engagers)
  }
  for (const path of ['/leads', '/engagers', '/leads?jobTitle=cto', '/leads?name=e']) {
    const separator = path.includes('?') ? '&' : '?'
    expect(await read(`${path}${separator}excluded=exclude`), path).not.toContain(inside)
    expect(await read(`${path}${separator}excluded=only`), path).not.toContain(outside)
  }
  expect(await read('/leads?excluded=exclude')).toEqual([outside])
  expect(await read('/leads?excluded=only')).toEqual([inside])
  const { leads } = await ok(team.get('/leads'))
  for (const { id, linkedinUrl, excluded } of leads) {
    const isInside = linkedinUrl === urlOf(inside)
    expect(excluded?.list ?? null).toBe(isInside ? list : null)
    const { delivered, reasons } = await ok(team.get(`/leads/${id}/why`))
    const codes = reasons.map(({ code }: { code: string }) => code)
    expect([delivered, codes]).toEqual(isInside ? [false, ['excluded']] : [true, []])
  }
  return leads
}

/** Importer files leave out excluded people; the file of all leads marks them. */
async function expectFiles({ team, inside, outside }: Opened): Promise<void> {
  const made = async (body: Record<string, unknown>) => {
    const { id } = await ok(team.post('/exports', body))
    await world.drain()
    return (await fetch((await ok(team.get(`/exports/${id}`))).url)).text()
  }
  for (const [format, preset] of [
    ['csv', 'heyreach'],
    ['csv', 'hubspot'],
    ['jsonl', 'clay'],
  ]) {
    const text = await made({ format, preset })
    expect([text.includes(inside), text.includes(outside)], preset).toEqual([false, true])
  }
  const rows = (await made({ format: 'jsonl' })).trim().split('\n')
  const said = rows.map((row) => JSON.parse(row) as Lead)
  expect(said.map(({ linkedinUrl, excluded }) => [linkedinUrl, excluded === null]).toSorted()).toEqual([
    [urlOf(inside), false],
    [urlOf(outside), true],
  ])
}

/** Checks pushes and sends made by hand. */
async function expectSentByHand(stage: Opened, leads: readonly Lead[]): Promise<void> {
  const { team, key, inside, outside, sourceId, destination, own, wide } = stage
  expect(await ok(team.post(`/sources/${sourceId}/push`))).toMatchObject({ considered: 2, excluded: 1 })
  expect(await ok(team.post(`/destinations/${destination.id}/push`, {}))).toMatchObject({ excluded: 1 })
  const leadIds = leads.map(({ id }) => id)
  await ok(team.post(`/destinations/${destination.id}/push`, { leadIds }))
  await world.drain()
  expect([...new Set([...toldTo(own), ...toldTo(wide)])]).toEqual([outside])
  const people = [inside, outside].map((handle) => ({ profileUrl: urlOf(handle) }))
  for (const named of [{ leadIds }, { people }]) {
    const campaignId = seedCampaign(world, key)
    const sent = await ok(team.post('/integrations/outreach/send', { campaignId, ...named }))
    expect(sent, JSON.stringify(named)).toMatchObject({ sent: 1, skippedExcluded: 1 })
    expect(handlesIn(world, key, campaignId)).toEqual([outside])
  }
}

describe.each(Object.entries(ways))('somebody who works at %s', (_name, way) => {
  it('goes out by no way, by itself or by hand; somebody else goes by each [EXC-05, EXC-06, EXC-07, EXC-08]', async () => {
    const stage = await opened(way)
    const { inside, outside, own, wide, slack, key, campaignId } = stage
    await stage.leaveOut()
    await stage.work()
    expect([toldTo(own), toldTo(wide), handlesIn(world, key, campaignId)]).toEqual([[outside], [outside], [outside]])
    expect([slack.texts().includes(inside), slack.texts().includes(outside)]).toEqual([false, true])
    const leads = await expectShown(stage, way.list)
    await expectFiles(stage)
    await expectSentByHand(stage, leads)
  })

  it('goes out no more when that is said while they wait [EXC-10]', async () => {
    const stage = await opened(way)
    const { team, inside, outside, own, wide, key, campaignId, destination } = stage
    for (const inbox of [own, wide]) inbox.answer(500)
    world.network.fault({ kind: 'status_503', vendor: 'heyreach' })
    await stage.work()
    await stage.leaveOut()
    world.network.clearFaults()
    for (const inbox of [own, wide]) {
      inbox.answer(200)
      inbox.received.length = 0
    }
    await world.advance('2d')
    await world.drain()
    expect([toldTo(own), toldTo(wide), handlesIn(world, key, campaignId)]).toEqual([[outside], [outside], [outside]])
    const leads: Lead[] = (await ok(team.get('/leads'))).leads
    const { id } = leads.find(({ linkedinUrl }) => linkedinUrl === urlOf(inside))!
    const ended = (await ok(team.get('/deliveries?state=excluded'))).deliveries
    expect(ended.map((delivery: { leadId: string }) => delivery.leadId)).toEqual([id, id])
    expect(await deliveriesOf(team, destination.id, 'waiting')).toEqual([])
  })
})

it('who works at a tracked page of which only the slug was known goes out by nothing [EXC-04, EXC-07]', async () => {
  const team = await world.team()
  const inbox = await world.inbox()
  const slug = world.handle('employer')
  const person = world.handle('inside')
  world.network.seedPerson({ handle: person, company: slug })
  world.network.seedCompany({ slug, website: null })
  world.network.seedPost({ author: { company: slug }, reactions: [{ person }] })
  await ok(team.put('/exclusions/settings', { worksAtSource: true }))
  for (const operation of ['company', 'companies/company/info']) world.network.fault({ kind: 'status_503', operation })
  await ok(team.post('/enrich/company', { username: slug, saveTrackedProfile: true }))
  const [{ id }] = (await ok(team.get('/sources'))).sources
  await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
  for (let tries = 0; tries < 5; tries++) {
    await world.drain()
    await world.advance('5h')
  }
  await world.drain()
  const { leads } = await ok(team.get('/leads'))
  expect(leads.map((lead: Lead) => lead.excluded?.list ?? null)).toEqual(['own_team'])
  expect(toldTo(inbox)).toEqual([])
  expect((await ok(team.get('/leads?excluded=only'))).total).toBe(1)
})

describe('an agent', () => {
  beforeAll(() => void world.network.seedSearch({ generated: false }))

  it.each(Object.entries(ways).filter(([, { list }]) => list === 'do_not_contact'))(
    'lists somebody who works at %s as excluded, and sends and pushes them nowhere [EXC-06, EXC-07]',
    async (_name, way) => {
      const team = await world.team()
      const [inbox, page] = [await world.inbox(), seedPage()]
      const [topic] = topicsOf(world, 1)
      world.network.seedCompany({ slug: `${page.slug}-writer`, posts: [] })
      const engagers = [{ company: page.slug }, {}]
      const [inside, outside] = seedTopicPost(world, `About ${topic}`, engagers, { company: `${page.slug}-writer` })
      await way.leaveOut(team, page)
      await running(world, team, {
        titles: ['CMO'],
        countries: ['Germany'],
        topics: [topic],
        webhook: { url: inbox.url, autoSend: true },
      })
      expect(toldTo(inbox)).toEqual([outside])
      expect(handlesOf(await agentLeads(team, '&excluded=exclude'))).toEqual([outside])
      expect(handlesOf(await agentLeads(team, '&excluded=only'))).toEqual([inside])
      expect(await ok(team.post('/agent/push', {}))).toMatchObject({ queued: 0, excluded: 1 })
      await world.drain()
      expect(toldTo(inbox)).toEqual([outside])
    },
  )
})
