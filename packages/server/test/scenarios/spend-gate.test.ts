/** Spend confirmation of every operation that needs it: when, with which quote, and what a refusal and a yes do. */
import { beforeAll, describe, expect, it } from 'vitest'
import { refusedWithoutTrace, silent, sourceOf, track } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const watch = (postsPerSync: number) => ({ mode: 'posts_only', postsPerSync })

type Gate = {
  name: string
  /** Creates the source and returns the request, to be made with the given flag. */
  prepare: (team: Team) => Promise<(flag: Record<string, unknown>) => ReturnType<Team['call']>>
  figures: Record<string, unknown>
  invalid: Record<string, unknown>
}

const enrich =
  (
    family: 'profile' | 'company',
    before: Record<string, unknown> | null,
    body: Record<string, unknown>,
  ): Gate['prepare'] =>
  async (team) => {
    const username = silent(world, family === 'profile' ? 'person' : 'company')
    if (before) await track(team, username, { ...before, confirmSpend: true }, `/enrich/${family}`)
    return (flag) => team.post(`/enrich/${family}`, { username, saveTrackedProfile: true, ...body, ...flag })
  }
const edit =
  (family: 'profile' | 'company', before: Record<string, unknown>, body: Record<string, unknown>): Gate['prepare'] =>
  async (team) => {
    const username = silent(world, family === 'profile' ? 'person' : 'company')
    await track(team, username, { ...before, confirmSpend: true }, `/enrich/${family}`)
    return (flag) => team.call('PATCH', `/${family}/${username}`, { ...body, ...flag })
  }

const gatesOf = (family: 'profile' | 'company'): Gate[] => [
  {
    name: `enrich ${family}: a new posts-only watch [SPD-07]`,
    prepare: enrich(family, null, watch(30)),
    figures: { estimatedDailyMax: 30, daysToExhaustAtCap: 3 },
    invalid: { postsPerSync: 0 },
  },
  {
    name: `enrich ${family}: a tracked one to posts_only [SPD-07]`,
    prepare: enrich(family, {}, watch(30)),
    figures: { estimatedDailyMax: 30, daysToExhaustAtCap: 3 },
    invalid: { postsPerSync: 61 },
  },
  {
    name: `enrich ${family}: a watch to engagers [SPD-08]`,
    prepare: enrich(family, watch(5), { mode: 'engagers', creditCapPerSync: 40 }),
    figures: { estimatedDailyMax: 40, daysToExhaustAtCap: 2 },
    invalid: { creditCapPerSync: 0 },
  },
  {
    name: `edit ${family}: a watch to engagers [SPD-09]`,
    prepare: edit(family, watch(5), { mode: 'engagers', creditCapPerSync: 101 }),
    figures: { estimatedDailyMax: 101, daysToExhaustAtCap: 0 },
    invalid: { creditCapPerSync: 0 },
  },
  {
    name: `edit ${family}: a watch to engagers without a cap [SPD-09]`,
    prepare: edit(family, watch(5), { mode: 'engagers' }),
    figures: {},
    invalid: { captureReplies: 'no' },
  },
  {
    name: `edit ${family}: more posts a sync [SPD-01]`,
    prepare: edit(family, watch(5), watch(50)),
    figures: { estimatedDailyMax: 50, daysToExhaustAtCap: 2 },
    invalid: { foo: 1 },
  },
]
// People and pages share what decides: of pages, one gate of each operation.
const gates = [...gatesOf('profile'), ...gatesOf('company').filter((_gate, at) => at === 0 || at === 5)]

describe.each(gates)('$name', ({ prepare, figures, invalid }) => {
  // Refusals change nothing, so one team gets them all.
  let refusable: Awaited<ReturnType<Gate['prepare']>>
  beforeAll(async () => {
    refusable = await prepare(await world.team({ credits: 100 }))
  })

  it('without a yes is 409 with honest figures only, and leaves no trace [SPD-01, SPD-02, SPD-03, SPD-05, SPD-20, ERR-17]', async () => {
    for (const flag of [{}, { confirmSpend: false }]) {
      const { status, body } = await refusedWithoutTrace(world, () => refusable(flag))
      expect([status, body.code]).toEqual([409, 'spend_confirmation_required'])
      const { estimatedDailyMax, daysToExhaustAtCap, remainingBalance } = body
      expect(JSON.parse(JSON.stringify({ estimatedDailyMax, daysToExhaustAtCap, remainingBalance }))).toEqual({
        ...figures,
        remainingBalance: 100,
      })
    }
  })

  it('with anything else for a yes, or invalid besides, is 400, not a yes [SPD-05, SPD-19]', async () => {
    for (const confirmSpend of ['true', 1, null, [], {}])
      expect((await refusedWithoutTrace(world, () => refusable({ confirmSpend }))).status).toBe(400)
    // An unknown field is ignored where bodies are not strict; every other mistake is refused everywhere.
    for (const flag of [{}, { confirmSpend: true }])
      expect((await refusedWithoutTrace(world, () => refusable({ ...invalid, ...flag }))).status).toBe(400)
  })

  it('sent again with confirmSpend: true is done, and once more is harmless [SPD-04, SPD-06]', async () => {
    const send = await prepare(await world.team({ credits: 100 }))
    expect((await send({})).status).toBe(409)
    expect((await send({ confirmSpend: true })).status).toBe(200)
    expect((await send({ confirmSpend: true })).status).toBe(200)
  })

  it('quotes the balance as it is now: 0 credits are 0 days [SPD-20, SPD-03]', async () => {
    const team = await world.team({ credits: 0 })
    const { body } = await (await prepare(team))({})
    expect(body).toMatchObject({
      remainingBalance: 0,
      ...('daysToExhaustAtCap' in figures ? { daysToExhaustAtCap: 0 } : {}),
    })
  })
})

it('one unconfirmed raise holds back every other change of its body [SPD-02]', async () => {
  const team = await world.team({ credits: 100 })
  const username = silent(world)
  await track(team, username, { ...watch(5), confirmSpend: true, creditCapPerSync: 9 })
  const before = await sourceOf(team, username)
  const body = { ...watch(6), captureReplies: false, enrichLeads: false, creditCapPerSync: null }
  expect((await refusedWithoutTrace(world, () => team.call('PATCH', `/profile/${username}`, body))).status).toBe(409)
  expect(await sourceOf(team, username)).toEqual(before)
  expect((await team.call('PATCH', `/profile/${username}`, { ...body, confirmSpend: true })).status).toBe(200)
})

it('confirmSpend: true where nothing is asked changes nothing about the answer [SPD-06, SPD-10, SPD-11]', async () => {
  const team = await world.team({ credits: 100 })
  const username = silent(world)
  await track(team, username, { confirmSpend: true })
  for (const body of [
    { creditCapPerSync: 10 },
    { creditCapPerSync: 5 },
    { creditCapPerSync: null },
    { captureReplies: false },
    watch(5),
    watch(3),
  ]) {
    const answer = await team.call('PATCH', `/profile/${username}`, { ...body, confirmSpend: true })
    expect([answer.status, Object.keys(answer.body).includes('confirmSpend')]).toEqual([200, false])
  }
})

it('who is not there is 404 and who is of another kind is 409 identifier_in_use before anybody is asked [SPD-19, SPD-21, G3]', async () => {
  const team = await world.team({ credits: 100 })
  const slug = silent(world, 'company')
  await track(team, slug, { ...watch(5), confirmSpend: true }, '/enrich/company')
  expect((await team.call('PATCH', `/profile/${slug}`, { mode: 'engagers' })).status).toBe(404)
  const answer = await team.post('/enrich/profile', { username: slug, saveTrackedProfile: true, ...watch(5) })
  expect([answer.status, answer.body.code]).toEqual([409, 'identifier_in_use'])
})

describe('what a yes to people means', () => {
  const said = 'Each new person of a source costs one credit, once; somebody whom two sources find is paid for at both'
  const scope = { creditCap: 10, captureMode: 'depth', datePosted: 'PAST_WEEK', contractVersion: '2026-11-01' }

  it('is said with every quote of a charge for people, and with none for posts [FIX-07, G163]', async () => {
    const team = await world.team({ credits: 100 })
    const [handle, slug] = [silent(world), silent(world, 'company')]
    await track(team, handle, { ...watch(5), confirmSpend: true })
    await team.put('/agent', { website: 'https://example.com', titles: ['CEO'], topics: ['sales'] })
    const searched = (await team.post('/keyword/track', { keyword: 'sales', ...scope, confirmSpend: true })).body
    const quotes = async (bodies: (() => ReturnType<Team['call']>)[]): Promise<string[]> => {
      const answers = []
      for (const send of bodies) answers.push(await send())
      expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'spend_confirmation_required'))
      return answers.map(({ body }) => body.error)
    }
    const ofPeople = await quotes([
      () => team.post('/enrich/profile', { username: handle, saveTrackedProfile: true, mode: 'engagers' }),
      () => team.call('PATCH', `/profile/${handle}`, { mode: 'engagers' }),
      () => team.post('/keyword/track', { keyword: 'growth', ...scope }),
      () => team.call('PATCH', `/keyword/${searched.id}`, { creditCap: 20 }),
      () => team.post('/agent/start', { dailyCredits: 100 }),
    ])
    for (const error of ofPeople) expect(error).toContain(said)
    const ofPosts = await quotes([
      () => team.post('/enrich/company', { username: slug, saveTrackedProfile: true, ...watch(5) }),
      () => team.call('PATCH', `/profile/${handle}`, watch(9)),
      () => team.post('/keyword/track', { keyword: 'growth', ...scope, ...watch(5) }),
      () => team.get(`/profile/${handle}/posts?posts=3`),
    ])
    for (const error of ofPosts) expect(error).not.toContain('person')
  })
})
