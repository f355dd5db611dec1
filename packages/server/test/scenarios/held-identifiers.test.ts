/** The refusal of an identifier that is taken names its holder, the holder's state, and what to do [G161]. */
import { expect, it } from 'vitest'
import { refusedWithoutTrace, silent, sourcesOf, track } from '../world/tracking.ts'
import { useWorld, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

type Kind = 'person' | 'company' | 'post' | 'keyword'

const scope = { creditCap: 10, captureMode: 'depth', datePosted: 'PAST_WEEK' }

const activity = () => `urn:li:activity:${world.network.seedPost({ author: world.handle('author') }).id}`

const send: Readonly<Record<Kind, (team: Team, name: string) => Promise<Answer>>> = {
  person: (team, username) => team.post('/enrich/profile', { username, saveTrackedProfile: true }),
  company: (team, username) => team.post('/enrich/company', { username, saveTrackedProfile: true }),
  post: (team, postUrl) => team.post('/post/track', { postUrl }),
  keyword: (team, keyword) => team.post('/keyword/track', { keyword, ...scope, confirmSpend: true }),
}

const untrack = (team: Team, { type, username, id }: Answer['body']): Promise<Answer> => {
  if (type === 'keyword') return team.del(`/keyword/${id}`)
  if (type === 'post') return team.del(`/post/${username}`)
  return team.del(`/${type === 'person' ? 'profile' : 'company'}/${username}`)
}

it.each<[Kind, Kind, RegExp]>([
  ['person', 'company', /name it by its number/],
  ['company', 'person', /name them by member id/],
  ['person', 'keyword', /send them in double quotes/],
  ['keyword', 'person', /name them by member id/],
  ['post', 'keyword', /send them in double quotes/],
  ['keyword', 'post', /does not free|would not free/],
])(
  'of a %s, asked for as a %s: kind, id, state and the way out [KEY-77, ERR-18, CON-21, FIX-07, G161]',
  async (holder, asked, wayOut) => {
    const team = await world.team({ credits: 100 })
    const name = [holder, asked].includes('post') ? activity() : silent(world)
    expect((await send[holder](team, name)).status).toBeLessThan(300)
    const [source] = await sourcesOf(team)
    const refusal = async (): Promise<string> => {
      const { status, body } = await refusedWithoutTrace(world, () => send[asked](team, name))
      expect([status, body.code]).toEqual([409, 'identifier_in_use'])
      expect(body.error).toMatch(wayOut)
      return body.error
    }
    const kind = holder === 'keyword' ? 'keyword search' : holder
    expect(await refusal()).toContain(`the ${kind} ${source.id} (active)`)
    expect(await refusal()).toContain('Use that source: untracking it would not free the identifier')
    expect((await untrack(team, source)).status).toBe(200)
    const said = await refusal()
    expect(said).toContain(`the ${kind} ${source.id} (inactive)`)
    const route = {
      person: '/enrich/profile',
      company: '/enrich/company',
      post: '/post/track',
      keyword: '/keyword/track',
    }
    expect(said).toContain(`revive it with POST ${route[holder]}`)
    // Following the advice works.
    expect((await send[holder](team, name)).status).toBeLessThan(300)
    expect(await sourcesOf(team)).toMatchObject([{ id: source.id, status: 'active' }])
  },
)

it('the other names that it proposes are taken: a number, a member id, words in quotes [FIX-07, G161, G153]', async () => {
  const team = await world.team({ credits: 100 })
  const [slug, handle] = [silent(world, 'company'), silent(world)]
  await track(team, slug)
  await track(team, handle, {}, '/enrich/company')
  const [number, memberId] = [world.network.company(slug)!.id, world.network.person(handle)!.id]
  for (const again of [false, true]) {
    expect([again, (await send.company(team, number)).status]).toEqual([again, 200])
    expect([again, (await send.person(team, memberId)).status]).toEqual([again, 200])
    await world.drain()
  }
  expect((await send.keyword(team, `"${slug}"`)).status).toBe(201)
  expect((await sourcesOf(team)).map(({ type, username }) => `${type} ${username}`).sort()).toEqual(
    [`person ${slug}`, `company ${handle}`, `company ${number}`, `person ${memberId}`, `keyword "${slug}"`].sort(),
  )
})
