/** A team with one of everything the API can name, and how it fills the registry's paths. */
import { registry, type Operation } from '@les/contract'
import type { Answer, Team, World } from '../world/world.ts'

/** Every operation, as data. */
export const operations = registry as readonly Operation[]

/** Operations with a body. */
export const bodied = operations.filter((operation) => operation.body !== null)

/** What a team owns, keyed by the path parameter `family/{parameter}`. */
export type Owned = Readonly<Record<string, string>>

/** A team with a person source, a company source, a tracked post, a spare key, a job, a push and more. */
export type Stage = { readonly team: Team; readonly owned: Owned }

async function made(answer: Answer): Promise<Answer['body']> {
  if (answer.status >= 300) throw new Error(`the stage could not be set: ${answer.status} ${answer.text}`)
  return answer.body
}

/** Sets up the stage through the API. */
export async function setStage(world: World, settings: Record<string, unknown> = {}): Promise<Stage> {
  const team = await world.team({ credits: 1_000, ...settings })
  // Example searches find nothing here; scenarios cover their captures.
  world.network.seedSearch({ generated: false, posts: [] })
  // The people named in the contract's examples; nobody engages with them here.
  world.network.seedPerson({ handle: 'jane-doe', posts: [] })
  world.network.seedCompany({ slug: 'acme', posts: [] })
  const [person, company, poster] = [world.handle('person'), world.handle('company'), world.handle('poster')]
  world.network.seedPost({ author: person, reactions: 2, comments: 1 })
  world.network.seedPost({ author: { company }, reactions: 1 })
  const post = world.network.seedPost({ author: poster, reactions: 1 })
  const { jobId } = await made(await team.post('/enrich/profile', { username: person, saveTrackedProfile: true }))
  await made(await team.post('/enrich/company', { username: company, saveTrackedProfile: true }))
  const urn = `urn:li:activity:${post.id}`
  await made(await team.post('/post/track', { postUrl: urn }))
  const search = await made(
    await team.post('/keyword/track', {
      keywords: [world.handle('term')],
      creditCap: 40,
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      confirmSpend: true,
    }),
  )
  const key = await made(await team.post('/keys', { name: 'spare' }))
  // The sandbox opens a workspace with campaigns for any key.
  await made(
    await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: `stage-${team.id}` }),
  )
  await world.drain()
  const { sources } = await made(await team.get('/sources'))
  const sourceId = sources.find((source: { username: string }) => source.username === person).id
  await made(
    await team.put('/agent', {
      topics: ['nobody writes of this either'],
      dailyCredits: 50,
      webhook: { url: 'http://127.0.0.1:9/' },
    }),
  )
  const discover = await made(
    await team.post('/discover', { keywords: ['nobody writes of this'], maxInfluencers: 1, confirmSpend: true }),
  )
  // No receiver listens here, so pushes wait.
  for (const { id } of sources)
    await made(await team.put(`/sources/${id}/webhook`, { webhookUrl: 'http://127.0.0.1:9/', autoSend: false }))
  const { pushId } = await made(await team.post(`/sources/${sourceId}/push`))
  // People whom nobody captures, so that excluding and erasing them changes nothing else.
  await made(await team.post('/exclusions', { entries: [{ kind: 'person', value: world.handle('excluded') }] }))
  const { entries } = await made(await team.get('/exclusions'))
  const forgotten = world.handle('forgotten')
  world.network.seedPerson({ handle: forgotten, posts: [] })
  const erasure = await made(
    await team.post('/privacy/erasures', { profileUrl: `https://www.linkedin.com/in/${forgotten}` }),
  )
  const { leads } = await made(await team.get('/leads?includeSyncing=true&limit=1'))
  const { people } = await made(
    await team.get(`/privacy/people?query=${encodeURIComponent(String(leads[0].linkedinUrl))}`),
  )
  const destination = await made(
    await team.post('/destinations', {
      kind: 'slack',
      name: 'Channel',
      settings: {},
      credentials: { webhookUrl: `https://hooks.slack.com/services/T01/B01/${person.replaceAll('-', '')}` },
    }),
  )
  await made(await team.post(`/destinations/${destination.id}/push`, {}))
  await world.drain()
  const { deliveries } = await made(await team.get(`/destinations/${destination.id}/deliveries`))
  const hook = await made(await team.post('/hooks', { targetUrl: 'http://127.0.0.1:9/', event: 'lead.detected' }))
  const file = await made(await team.post('/exports', { format: 'csv' }))
  await world.drain()
  const owned = {
    'discover/{id}': discover.id,
    'push/{pushId}': pushId,
    'keyword/{id}': search.id,
    'profile/{username}': person,
    'company/{username}': company,
    'sources/{id}': sourceId,
    'keys/{id}': key.id,
    'jobs/{jobId}': jobId,
    'post/{urn}': urn,
    'hooks/{id}': hook.id,
    'exclusions/{id}': entries[0].id,
    'erasures/{id}': erasure.id,
    'people/{personId}': people[0].personId,
    'destinations/{id}': destination.id,
    'deliveries/{deliveryId}': deliveries[0].id,
    'exports/{id}': file.id,
    'leads/{leadId}': leads[0].id,
    'leads/{id}': leads[0].id,
  }
  return { team, owned }
}

/** The same names for things that never existed. */
export function neverExisted(world: World): Owned {
  const id = '01a1fd55-7a80-7003-a3e3-0123456789ab'
  return {
    'discover/{id}': id,
    'push/{pushId}': id,
    'keyword/{id}': id,
    'profile/{username}': world.handle('nobody'),
    'company/{username}': world.handle('nowhere'),
    'sources/{id}': id,
    'keys/{id}': id,
    'jobs/{jobId}': id,
    'post/{urn}': 'urn:li:activity:7395000000000000999',
    'hooks/{id}': id,
    'exclusions/{id}': id,
    'erasures/{id}': id,
    'people/{personId}': id,
    'destinations/{id}': id,
    'deliveries/{deliveryId}': id,
    'exports/{id}': id,
    'leads/{leadId}': id,
    'leads/{id}': id,
  }
}

/** The parameters of a path, as keys of `Owned`. */
export function parametersOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  return segments.flatMap((segment, at) => (segment.startsWith('{') ? [`${segments[at - 1]}/${segment}`] : []))
}

/** Fills in a path's parameters; throws for one that the stage does not know: add it there. */
export function fill(path: string, owned: Owned): string {
  const segments = path.split('/')
  return segments
    .map((segment, at) => {
      if (!segment.startsWith('{')) return segment
      const name = `${segments[at - 1]}/${segment}`
      const value = owned[name]
      if (value === undefined) throw new Error(`test/contract/stage.ts must say what ${name} is`)
      return encodeURIComponent(value)
    })
    .join('/')
}

/** Queries that operations require. */
export const requiredQuery: Readonly<Record<string, string>> = {
  readProfilePosts: '?posts=1',
  readCompanyPosts: '?posts=1',
  searchPeople: '?query=nobody',
  getCreditStatement: '?month=2026-11',
}
